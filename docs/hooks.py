"""Hooks that MkDocs calls while it builds the site: links to files outside `docs/` have no page there."""

import posixpath
import re

_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")


def on_page_markdown(markdown, page, config, files):
    """Return the page with links out of `docs/` leading to the repository, or as plain text where none is named."""
    folder = posixpath.dirname(page.file.src_uri)

    def redirect(link):
        text, target = link.groups()
        path = posixpath.normpath(posixpath.join(folder, target))
        if not path.startswith("../"):
            return link.group()
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/main/{path[3:]})" if config.repo_url else text

    return _LINK.sub(redirect, markdown)
