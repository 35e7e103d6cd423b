"""The command `zamek` and the scripts it runs; each can also be run as a file."""
