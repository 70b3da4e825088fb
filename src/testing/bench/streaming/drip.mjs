/**
 * Runs inside each page, Bench's own among them: answers every chat request from the recording, so that all pages are
 * given the same bytes at the same pace and no network is measured. Put in place before the page's own scripts.
 */
export function installDrip() {
  // Answers are made at the page's fetch: requests go the direct way.
  Reflect.deleteProperty(globalThis, 'WebSocket');
  const encoder = new TextEncoder();
  const chunkOf = (content) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-benchmark',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'demo/recording',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })}\n\n`;
  const end =
    'data: {"id":"chatcmpl-benchmark","object":"chat.completion.chunk","created":1790000000,"model":"demo/recording",' +
    '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  const state = {
    packets: [],
    /** 'frame': one packet a frame, however long the page takes for it. A number: milliseconds between packets. */
    pace: 'frame',
    finished: 0,
    onFinish: () => undefined,
  };

  window.benchmark = {
    state,
    /** Makes the packets of a recording: `tokensAPacket` deltas each. */
    prepare(deltas, tokensAPacket, pace) {
      state.packets = [];
      for (let from = 0; from < deltas.length; from += tokensAPacket) {
        const last = from + tokensAPacket >= deltas.length;
        const text = deltas
          .slice(from, from + tokensAPacket)
          .map(chunkOf)
          .join('');
        state.packets.push(encoder.encode(last ? text + end : text));
      }
      state.pace = pace;
      state.finished = 0;
    },
    /** Resolves with the number of frames from the last byte until the words are on screen as often as there are streams. */
    async framesUntil(words, streams) {
      await new Promise((resolve) => {
        state.onFinish = () => state.finished >= streams && resolve();
        state.onFinish();
      });
      const seen = () => document.body.textContent.split(words).length - 1 >= streams;
      for (let frames = 0; frames < 6_000; frames += 1) {
        if (seen()) return frames;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return -1;
    },
  };

  function answer() {
    const { packets, pace } = state;
    const body = new ReadableStream({
      start(controller) {
        let next = 0;
        const began = performance.now();
        const handOver = () => {
          controller.enqueue(packets[next]);
          next += 1;
          if (next < packets.length) return true;
          controller.close();
          state.finished += 1;
          state.onFinish();
          return false;
        };
        // Between two frames, where packets come: a page that draws at the next frame draws each.
        const channel = new MessageChannel();
        const afterFrame = () => requestAnimationFrame(() => channel.port2.postMessage(undefined));
        channel.port1.onmessage = () => {
          if (handOver()) afterFrame();
        };
        const step = () => {
          // By the clock: a late timer hands over what is due.
          const due = Math.floor((performance.now() - began) / pace);
          while (next <= due) if (!handOver()) return;
          setTimeout(step, pace);
        };
        if (pace === 'frame') afterFrame();
        else setTimeout(step, pace);
      },
    });
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
  }

  const fetchBefore = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = typeof input === 'string' ? input : (input.url ?? String(input));
    if (!url.endsWith('/chat/completions') || state.packets.length === 0) return fetchBefore(input, init);
    return Promise.resolve(answer());
  };
}
