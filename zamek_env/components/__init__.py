"""What lies in the box: its components, read from files and checked."""
