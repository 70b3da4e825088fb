import { createParser } from 'eventsource-parser';

import { applyEvents, newRun } from '../../../../conversation/reply/run.ts';
import { streamChat } from '../../../../gateway/stream/chat.ts';
import { createTapeReader } from '../../../../gateway/stream/stream-events.ts';

const PACKETS_A_FRAME = 20;

/** Bytes of a recording in packets of the size that networks have. */
function packetsOf(deltas, bytes) {
  const encoder = new TextEncoder();
  const chunk = (content) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-benchmark',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'demo/recording',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })}\n\n`;
  const all = encoder.encode(deltas.map(chunk).join(''));
  const packets = [];
  for (let from = 0; from < all.length; from += bytes) packets.push(all.subarray(from, from + bytes));
  return { packets, size: all.length };
}

/** The parser alone with JSON.parse: what most clients do, and no less can be done. */
function parserAlone(packets, parse) {
  const decoder = new TextDecoder();
  let characters = 0;
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') return;
      characters += parse ? JSON.parse(data).choices[0].delta.content.length : data.length;
    },
  });
  for (const packet of packets) parser.feed(decoder.decode(packet, { stream: true }));
  return characters;
}

/** Bench's whole gateway layer: HTTP answer, decoder, tape entries, events, and the fold once a frame. */
async function wholeLayer(packets) {
  let next = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        if (next < packets.length) controller.enqueue(packets[next++]);
        else controller.close();
      },
    },
    { highWaterMark: 64 },
  );
  const http = {
    open: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    now: () => performance.now(),
    idleTimeoutMs: 600_000,
  };
  const tape = [];
  const read = createTapeReader();
  let run = newRun('run', 'session', { model: 'demo/recording', system: '', params: {} });
  let events = [];
  let packetsSeen = 0;
  for await (const entries of streamChat(
    http,
    { model: 'demo/recording', messages: [], stream: true },
    { requestId: 'r' },
  )) {
    for (const entry of entries) {
      tape.push(entry);
      for (const event of read(entry)) events.push({ atMs: entry.at, event });
    }
    packetsSeen += 1;
    if (packetsSeen % PACKETS_A_FRAME !== 0) continue;
    run = applyEvents(run, events);
    events = [];
  }
  run = applyEvents(run, events);
  return run.choices[0].parts[0].text.length;
}

/** The same stream without anything that reads it: what waiting for each packet costs in itself. */
async function readingAlone(packets) {
  let next = 0;
  const body = new ReadableStream(
    {
      pull(controller) {
        if (next < packets.length) controller.enqueue(packets[next++]);
        else controller.close();
      },
    },
    { highWaterMark: 64 },
  );
  const reader = new Response(body).body.getReader();
  const decoder = new TextDecoder();
  let characters = 0;
  const parser = createParser({
    onEvent({ data }) {
      characters += JSON.parse(data).choices[0].delta.content.length;
    },
  });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return characters;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

let made;

/** Makes the bytes; answers with the names of the ways and the size in megabytes. */
window.prepareDecoding = (deltas) => {
  const { packets, size } = packetsOf(deltas, 1_400);
  made = {
    'parser, push, no JSON': () => parserAlone(packets, false),
    'parser, push, JSON.parse': () => parserAlone(packets, true),
    'parser, push, JSON.parse, from a stream': () => readingAlone(packets),
    'Bench, whole layer, from a stream': () => wholeLayer(packets),
  };
  return { ways: Object.keys(made), megabytes: size / 1e6 };
};

/** Decodes all of it so many times. */
window.decode = async (way, rounds) => {
  for (let round = 0; round < rounds; round += 1) await made[way]();
};
