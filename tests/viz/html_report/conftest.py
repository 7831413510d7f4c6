from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest

from smoothgraph import L2DegreeGraph, LogDegreeGraph, density_path
from smoothgraph.viz import write_report

NAMES = [f"sensor {chr(97 + k // 5)}{k % 5}" for k in range(30)]


@pytest.fixture(scope="session")
def positions():
    """30 places; the last two are far from all others."""
    places = np.random.default_rng(5).uniform(size=(30, 2))
    places[28:] = [[1.6, 0.1], [1.5, 1.7]]
    return places


@pytest.fixture(scope="session")
def graphs(positions):
    """Graphs of three densities, not sorted; the sparsest one has isolated nodes."""
    table = pd.DataFrame(positions, index=NAMES)
    return density_path(table, [6, 1.5, 3], learner=L2DegreeGraph())


@pytest.fixture(scope="session")
def ordered(graphs):
    return sorted(graphs, key=lambda graph: graph.edges_per_node_)


@pytest.fixture(scope="session")
def islands():
    """Graphs of two densities of three islands; bridges join them, more at the lower density."""
    rng = np.random.default_rng(1)
    X = np.vstack([center + rng.normal(size=(12, 2)) for center in ([0, 0], [9, 0], [0, 9])])
    sparse, dense = density_path(X, [2, 5], learner=LogDegreeGraph(connected=True))
    assert len(sparse.bridges_) > len(dense.bridges_) == 2
    return X, sparse, dense


@dataclass
class Shown:
    """A report in the browser, with the requests, errors and dialogs that it caused."""

    page: object
    requests: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    dialogs: list = field(default_factory=list)

    def watch(self):
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._record_error)
        self.page.on("dialog", self._dismiss)

    def _record_error(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def _dismiss(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def text(self, selector):
        return self.page.locator(selector).text_content()

    def descriptions(self, selector):
        """Return a description list as a dictionary."""
        names = self.page.locator(f"{selector} dt").all_text_contents()
        values = self.page.locator(f"{selector} dd").all_text_contents()
        return dict(zip(names, values, strict=True))

    def call(self, script, argument=None):
        """Call a function of the report's own object in the page."""
        return self.page.evaluate(f"(x) => (({script})(window.smoothgraphReport, x))", argument)

    def place(self, node):
        """Return the coordinates of a node on the screen."""
        return self.call(
            """({ sigma }, node) => {
                const at = sigma.framedGraphToViewport(sigma.getNodeDisplayData(String(node)));
                const corner = document.getElementById("graph").getBoundingClientRect();
                return [at.x + corner.left, at.y + corner.top];
            }""",
            node,
        )

    def hover(self, node):
        x, y = self.place(node)
        self.page.mouse.move(x - 60, y - 60)
        self.page.mouse.move(x, y)
        self.page.wait_for_selector("#card:not([hidden])")

    def click(self, node):
        x, y = self.place(node)
        self.page.mouse.click(x, y)
        self.page.wait_for_selector("#card.kept")

    def drawn_edges(self):
        """Return the ends of the visible edges."""
        pairs = self.call(
            """({ sigma, graph }) => graph.edges()
                .filter((edge) => !sigma.getEdgeDisplayData(edge).hidden)
                .map((edge) => graph.extremities(edge).map(Number))"""
        )
        return {tuple(sorted(pair)) for pair in pairs}

    def colors(self):
        return self.call("({ sigma, graph }) => graph.nodes().map((n) => sigma.getNodeDisplayData(n).color)")

    def wait_until(self, script, argument=None):
        """Wait until a function of the report's own object returns true."""
        for _ in range(500):
            if self.call(script, argument):
                return
            self.page.wait_for_timeout(20)
        pytest.fail(f"Still not true after 10 s: {script}")

    def empty_place(self):
        """Return the place on the drawing that is farthest from all nodes."""
        box = self.page.locator("#graph").bounding_box()
        x, y = np.meshgrid(np.linspace(0.3, 0.8, 30), np.linspace(0.1, 0.9, 30))
        places = np.column_stack([x.ravel(), y.ravel()]) * [box["width"], box["height"]]
        places += [box["x"], box["y"]]
        count = self.call("({ graph }) => graph.order")
        nodes = np.array([self.place(node) for node in range(count)])
        apart = np.linalg.norm(places[:, None] - nodes, axis=2).min(axis=1)
        return places[np.argmax(apart)].tolist()

    def camera(self):
        """Return the state of the camera after it has come to rest."""
        self.wait_until("({ sigma }) => !sigma.getCamera().isAnimated()")
        return self.call("({ sigma }) => sigma.getCamera().getState()")


@pytest.fixture
def open_report(browser, tmp_path):
    """A function that writes and opens a report; after the test, nothing may have gone wrong."""
    opened = []

    def write_and_open(graphs, *, before="", motion="reduce", **options):
        path = tmp_path / f"report {len(opened)}.html"
        write_report(path, graphs, **options)
        context = browser.new_context(viewport={"width": 1200, "height": 800}, reduced_motion=motion, offline=True)
        shown = Shown(context.new_page())
        shown.watch()
        opened.append((context, shown, path.as_uri()))
        shown.page.add_init_script(before)
        shown.page.goto(path.as_uri())
        shown.page.wait_for_function("window.smoothgraphReport || !document.getElementById('failure').hidden")
        return shown

    yield write_and_open
    for context, shown, address in opened:
        context.close()
        assert shown.requests == [address]
        assert shown.errors == []
        assert shown.dialogs == []
