"""The widget in a real notebook, in Chromium: marimo starts faster than JupyterLab, and has the same protocol."""

import os
import socket
import subprocess
import sys

import pytest

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np
    from smoothgraph import LogDegreeGraph
    from smoothgraph.viz import explore

    X = np.random.default_rng(0).uniform(size=(30, 2))
    names = [f"<i>node</i> {k}" for k in range(30)]
    first, second = (explore(LogDegreeGraph(k).fit(X), positions=X, names=names, title="<b>") for k in (4, 6))
    second.selection = [2, 7, 11]
    one, two = mo.ui.anywidget(first), mo.ui.anywidget(second)
    mo.vstack([one, two])
    return mo, one, two


@app.cell
def _(mo, one, two):
    mo.plain_text(f"selected: {one.selection} {two.selection}")
    return


if __name__ == "__main__":
    app.run()
"""
PATIENCE = 120_000  # milliseconds; the machine may be busy


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def notebook(tmp_path):
    """The address of a running notebook."""
    path, port = tmp_path / "notebook.py", free_port()
    path.write_text(NOTEBOOK)
    command = [sys.executable, "-m", "marimo", "run", str(path), "--headless", "--no-token", "--port", str(port)]
    home = {name: str(tmp_path) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(command, env=os.environ | home, stdout=log, stderr=log)
    yield f"http://127.0.0.1:{port}", server
    server.terminate()
    server.wait()


@pytest.fixture
def page(browser, notebook):
    address, server = notebook
    page = browser.new_page(viewport={"width": 1200, "height": 1600}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    for _ in range(1500):
        assert server.poll() is None, "the notebook has ended"
        try:
            page.goto(address)
            break
        except Exception:  # noqa: BLE001 (it does not listen yet)
            page.wait_for_timeout(100)
    yield page
    page.close()
    assert errors == []


def test_two_widgets_in_one_notebook(page):
    first, second = page.locator("div.page").nth(0), page.locator("div.page").nth(1)
    for widget in (first, second):
        widget.locator("#graph canvas").first.wait_for()
        assert widget.locator("#title").text_content() == "<b>"
    page.get_by_text("selected: [] [2, 7, 11]").wait_for()  # from Python to Python
    second.get_by_text("3 nodes are selected").wait_for()  # from Python to the page

    first.locator("#search").fill("<i>node</i> 13")
    first.locator("#search").press("Enter")
    page.get_by_text("selected: [13] [2, 7, 11]").wait_for()  # from the page to Python
    assert first.locator("#card h2").text_content() == "<i>node</i> 13"
    assert not second.locator("#card").is_visible()

    box = second.locator("#graph").bounding_box()
    page.keyboard.down("Shift")
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    page.get_by_text(f"selected: [13] {list(range(30))}").wait_for()
    first.get_by_text("1 node is selected").wait_for()

    page.keyboard.press("Escape")  # of the widget that was used last
    page.get_by_text("selected: [13] []").wait_for()
    first.locator("#search").press("Escape")
    page.get_by_text("selected: [] []").wait_for()
    assert page.locator("#graph").first.evaluate("(node) => node.getRootNode() instanceof ShadowRoot")
    assert page.evaluate("[typeof Sigma, typeof graphology, location.hash]") == ["undefined", "undefined", ""]
