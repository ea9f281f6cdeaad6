"""What people say of themselves, and want kept in mind, told or struck."""
