"""Random and malformed calls and files, which must be refused as documented, or played."""
