"""Parts of tests that are no tests themselves."""
