"""Commands that build, test and check this project; `Makefile` calls them."""
