"""What tests are made of, and is no test itself."""
