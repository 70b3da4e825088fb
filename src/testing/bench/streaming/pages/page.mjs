import { createParser } from 'eventsource-parser';

/**
 * What the pages other than Bench have in common: columns that scroll, and for each a stream whose text is handed on
 * once a frame. `makeColumn(home)` answers with a function that draws the text so far.
 */
export function runPage(makeColumn) {
  const columns = document.querySelector('#columns');
  window.startColumns = (count) => {
    columns.replaceChildren();
    const streams = Array.from({ length: count }, () => {
      const scroller = document.createElement('div');
      scroller.className = 'column';
      const home = document.createElement('div');
      scroller.append(home);
      columns.append(scroller);
      return follow(makeColumn(home), scroller);
    });
    return Promise.all(streams);
  };
}

async function follow(draw, scroller) {
  const response = await fetch('/v1/chat/completions', { method: 'POST' });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let scheduled = false;
  const paint = (live) => {
    scheduled = false;
    draw(text, live);
    scroller.scrollTop = 1e9;
  };
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return;
      const delta = JSON.parse(data).choices[0].delta.content;
      if (delta) text += delta;
    },
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parser.feed(decoder.decode(value, { stream: true }));
    if (!scheduled) {
      scheduled = true;
      requestAnimationFrame(() => paint(true));
    }
  }
  await new Promise((resolve) => requestAnimationFrame(resolve));
  paint(false);
}
