"""The rules of the reads: nothing is changed. TOOLS.md, section 2, says what each answers."""

from __future__ import annotations

from typing import Any

from evals.tau_retail.retailer.arithmetic import calculated
from evals.tau_retail.retailer.records import Refused, Tables, found, shown


def find_user_id_by_email(tables: Tables, email: Any) -> str:
    """Find a user by email."""
    for user_id, user in tables.all("users"):
        if user["email"].lower() == email.lower():
            return user_id
    raise Refused("user not found")


def find_user_id_by_name_zip(tables: Tables, first_name: Any, last_name: Any, zip: Any) -> str:
    """Find a user by name and the zip code of the address as it is now."""
    for user_id, user in tables.all("users"):
        name = user["name"]
        if (
            name["first_name"].lower() == first_name.lower()
            and name["last_name"].lower() == last_name.lower()
            and user["address"]["zip"] == zip
        ):
            return user_id
    raise Refused("user not found")


def get_user_details(tables: Tables, user_id: Any) -> str:
    """Show a user."""
    return shown(found(tables, "users", user_id))


def get_order_details(tables: Tables, order_id: Any) -> str:
    """Show an order."""
    return shown(found(tables, "orders", order_id))


def get_product_details(tables: Tables, product_id: Any) -> str:
    """Show a product with its variants."""
    return shown(found(tables, "products", product_id))


def list_all_product_types(tables: Tables) -> str:
    """List names and ids of all products, by name."""
    ids = {product["name"]: product["product_id"] for _, product in tables.all("products")}
    return shown(dict(sorted(ids.items())))


def calculate(tables: Tables, expression: Any) -> str:
    """Work out an arithmetic expression."""
    return calculated(expression)


def think(tables: Tables, thought: Any) -> str:
    """Let the model think; there is nothing to answer."""
    return ""


def transfer_to_human_agents(tables: Tables, summary: Any) -> str:
    """Hand the conversation over."""
    return "Transfer successful"
