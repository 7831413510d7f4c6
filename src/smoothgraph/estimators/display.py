"""What a notebook shows of a fitted learner: scikit-learn's table and a card, a picture, a widget."""

from importlib import import_module
from typing import Any

_PICTURES = "smoothgraph.viz"  # above this folder; it is loaded by name, when something is to be shown
_WHEN_ASKED_FOR = "distances_"


class Display:
    """The ways to show the learned graph. The keyword arguments are those of the functions in ``smoothgraph.viz``."""

    def plot(self, positions: Any = None, **options: Any) -> Any:
        """Draw the learned graph with :func:`smoothgraph.viz.draw_graph`, and return the axes.

        In a notebook, the axes show their picture as the last line of a cell.
        """
        return import_module(_PICTURES).draw_graph(self, positions, **options)

    def explore(self, **options: Any) -> Any:
        """Return a widget to explore the learned graph in a notebook, made by :func:`smoothgraph.viz.explore`."""
        return import_module(_PICTURES).explore(self, **options)

    def _repr_html_inner(self) -> str:
        return super()._repr_html_inner() + self._card()  # type: ignore[misc]

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        bundle = super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]
        if "text/html" in bundle:
            bundle["text/html"] += self._card()
        return bundle

    def _card(self) -> str:
        """Return the HTML of what was learned; nothing before ``fit``."""
        if vars(self).keys().isdisjoint({"adjacency_", "graph_"}):
            return ""
        return import_module(f"{_PICTURES}.learner_card").render_card(self)

    def _get_fitted_attr_html(self, doc_link: str = "") -> Any:
        """Return scikit-learn's table of fitted attributes, without computing what is computed when asked for."""
        known = object.__new__(type(self))
        vars(known).update({_WHEN_ASKED_FOR: None} | vars(self))
        table = super(Display, known)._get_fitted_attr_html(doc_link)  # type: ignore[misc]
        if _WHEN_ASKED_FOR not in vars(self):
            table.pop(_WHEN_ASKED_FOR, None)
        return table
