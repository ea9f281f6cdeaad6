"""What lives are about: the shop, and merchants. All that differs from domain to domain is here."""
