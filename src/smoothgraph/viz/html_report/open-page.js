// Open the file as a page. Its payload is in base64.

const decode = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

try {
  const compressed = decode(document.getElementById("payload").textContent);
  const host = { title: document.title, themed: document.documentElement, ownsPage: true };
  window.smoothgraphReport = await showGraph(document, compressed, host);
} catch (error) {
  const message = document.getElementById("failure");
  message.textContent = error.message;
  message.hidden = false;
  throw error;
}
