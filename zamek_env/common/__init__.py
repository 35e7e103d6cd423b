"""What all other modules use: checks of arguments, messages, extras, compact pickles, printing."""
