"""A benchmark of learners: fixed tasks, budgets that are counted, opponents that never change."""
