/**
 * Runs in each measured page before its own scripts: answers every chat request from a recording, so that all pages
 * receive the same bytes at the same pace and the network is not measured.
 */
export function installDrip() {
  // Without WebSockets the app sends its requests with fetch, which is replaced below.
  Reflect.deleteProperty(globalThis, 'WebSocket');
  const encoder = new TextEncoder();
  const encodeChunk = (delta, finishReason = null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-benchmark',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'demo/recording',
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    })}\n\n`;
  const endOfStream = `${encodeChunk({}, 'stop')}data: [DONE]\n\n`;

  let packets = [];
  let packetPace = 'frame';
  let finishedStreams = 0;

  window.benchmark = {
    /** Sets what is streamed. `pace` is 'frame' for one packet per frame, or the milliseconds between packets. */
    prepare(deltas, deltasPerPacket, pace) {
      packets = [];
      for (let from = 0; from < deltas.length; from += deltasPerPacket) {
        const isLast = from + deltasPerPacket >= deltas.length;
        const chunks = deltas.slice(from, from + deltasPerPacket).map((content) => encodeChunk({ content }));
        packets.push(encoder.encode(chunks.join('') + (isLast ? endOfStream : '')));
      }
      packetPace = pace;
      finishedStreams = 0;
    },
    /** Resolves when all streams have ended and their last words are on screen. */
    async waitForWords(words, streams) {
      const isShown = () => document.body.textContent.split(words).length > streams;
      while (finishedStreams < streams || !isShown())
        await new Promise((resolve) => setTimeout(resolve, finishedStreams < streams ? 200 : 20));
    },
  };

  function streamRecording() {
    const body = new ReadableStream({
      start(controller) {
        let next = 0;
        const startedAt = performance.now();
        const sendNext = () => {
          controller.enqueue(packets[next]);
          next += 1;
          if (next < packets.length) return true;
          controller.close();
          finishedStreams += 1;
          return false;
        };
        // Packets arrive between two frames, so that a page that draws in the next frame draws each of them.
        const channel = new MessageChannel();
        const waitForFrame = () => requestAnimationFrame(() => channel.port2.postMessage(undefined));
        channel.port1.onmessage = () => {
          if (sendNext()) waitForFrame();
        };
        const sendDue = () => {
          // A late timer sends all packets that are due.
          const due = Math.floor((performance.now() - startedAt) / packetPace);
          while (next <= due) if (!sendNext()) return;
          setTimeout(sendDue, packetPace);
        };
        if (packetPace === 'frame') waitForFrame();
        else setTimeout(sendDue, packetPace);
      },
    });
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
  }

  const originalFetch = window.fetch.bind(window);
  window.fetch = (input, init) => {
    const url = typeof input === 'string' ? input : (input.url ?? String(input));
    if (!url.endsWith('/chat/completions') || packets.length === 0) return originalFetch(input, init);
    return Promise.resolve(streamRecording());
  };
}
