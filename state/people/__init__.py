"""Users: approvals, policy, rules, facts, privacy."""
