"""The kinds of sites that WebArena has, and our sites in their place.

The names, variables, accounts, addresses and labels are those that WebArena's clients use
(`browser_env/env_config.py` and `browser_env/auto_login.py` of its repository, and BrowserGym's
`webarena/instance.py`). No other module has them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Account:
    """The user name and the password with which clients log in."""

    user: str
    password: str


@dataclass(frozen=True)
class SignIn:
    """The form on which clients log in.

    Attributes:
        path: The address of the form.
        user: The label of the field for the user name.
        button: The label of the button, and of the link that leads to the form.
        account: The account that is accepted.
        user_hint: The placeholder of the field for the user name.
        password_hint: The placeholder of the field for the password.
        test_ids: The test ids of the two fields and the button.
    """

    path: str
    user: str
    button: str
    account: Account
    user_hint: str = ""
    password_hint: str = ""
    test_ids: tuple[str, str, str] | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of site.

    Attributes:
        name: Its name in the field `sites` of a task.
        about: Its name for people.
        site: Our site in its place; "" if there is none yet.
        base: The path that its variable has after the host.
        sign_in: The form on which clients log in, or None.
        signed_in: The page that a client opens to find out whether it is still logged in, and the
            word that it looks for; two empty texts if there is no such page.
    """

    name: str
    about: str
    site: str = ""
    base: str = ""
    sign_in: SignIn | None = None
    signed_in: tuple[str, str] = ("", "")

    @property
    def variable(self) -> str:
        """The environment variable that holds its address."""
        return self.name.upper()

    @property
    def placeholder(self) -> str:
        """The text that stands for its address in a file of tasks."""
        return f"__{self.variable}__"

    def address(self, path: str) -> str:
        """Return the address of a path on the site's host, as a file of tasks writes it.

        Args:
            path: The path, such as "/search"; under `base`, if the site has one.
        """
        return f"{self.placeholder}{path.removeprefix(self.base)}"


KINDS = (
    Kind(
        "shopping",
        "Shop",
        "shop",
        sign_in=SignIn(
            "/customer/account/login/",
            "Email",
            "Sign In",
            Account("emma.lopez@gmail.com", "Password.123"),
        ),
        signed_in=("/wishlist/", "My Wish List"),
    ),
    Kind(
        "shopping_admin",
        "Back office of the shop",
        "admin",
        base="/admin",
        sign_in=SignIn(
            "/admin",
            "Username",
            "Sign in",
            Account("admin", "admin1234"),
            "user name",
            "password",
        ),
        signed_in=("/admin/dashboard", "Dashboard"),
    ),
    Kind(
        "reddit",
        "Forum",
        "forum",
        sign_in=SignIn("/login", "Username", "Log in", Account("MarvelsGrantMan136", "test1234")),
        signed_in=("/user/MarvelsGrantMan136/account", "Delete"),
    ),
    Kind(
        "gitlab",
        "Code host",
        "codehost",
        sign_in=SignIn(
            "/users/sign_in",
            "Username or email",
            "Sign in",
            Account("byteblaze", "hello1234"),
            test_ids=("username-field", "password-field", "sign-in-button"),
        ),
        signed_in=("/-/profile", "Profile"),
    ),
    Kind("wikipedia", "Encyclopedia", "wiki"),
    Kind("map", "Map", "map"),
)
"""The kinds of sites, in the order of the variables in WebArena's own instructions."""

HOME = "HOMEPAGE"
"""The variable of the page that lists the sites."""
RESET = "WA_FULL_RESET"
"""The variable of the address that resets the sites."""
BROWSERGYM = "WA_"
"""BrowserGym's prefix of the variables."""


def of_site(site: str) -> Kind | None:
    """Return the kind that one of our sites stands for, or None."""
    return next((each for each in KINDS if each.site == site), None)
