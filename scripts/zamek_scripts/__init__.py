"""The command `zamek` and the scripts that it runs; each can also be run as a file."""
