"""Shared by all other modules: checks of arguments, messages, extras, compact pickles, printing."""
