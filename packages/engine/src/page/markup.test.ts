import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { embedded, markup } from "./markup.ts";

describe("markup", () => {
  it("escapes inserted texts, keeps inserted markup, joins lists and leaves out what is not there", () => {
    const row = (text: string) => markup`<td title="${text}">${text}</td>`;
    assert.equal(
      markup`<tr>${[row("a \"b\" <c> & 'd'"), row("0")]}${undefined}${0}</tr>`.text,
      '<tr><td title="a &quot;b&quot; &lt;c&gt; &amp; &#39;d&#39;">a &quot;b&quot; &lt;c&gt; &amp; &#39;d&#39;</td><td title="0">0</td>0</tr>',
    );
  });

  it("shows control characters and lone surrogates instead of writing them", () => {
    assert.equal(markup`${"\u001b[31mred\u0000\n"}`.text, "\\x1b[31mred\\x00\n");
    assert.equal(markup`${"\ud800"}`.text, "\ufffd");
  });

  it("never lets a text open a tag or leave an attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        assert.doesNotMatch(markup`${text}`.text, /[<>"']/);
        assert.doesNotMatch(embedded("data", { text }).text.slice(1, -"</script>".length), /</);
      }),
    );
  });
});
