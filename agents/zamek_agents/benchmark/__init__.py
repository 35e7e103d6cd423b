"""A benchmark of learners: fixed tasks, counted budgets, opponents that never change."""
