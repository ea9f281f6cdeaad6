"""What people decide and are owed: approvals, policy, rules, facts, privacy."""
