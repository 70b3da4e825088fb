import { printTable } from './table.mjs';

const AT = 32_000;
const ms = (value) => `${value.toFixed(0)} ms`;
const times = (value) => value.toFixed(2);

/** Says of every goal that was measured whether it is met, and by how much it is missed. Returns the rows. */
export function printVerdicts(results) {
  const rows = [
    ...costGoals(results.cost),
    ...shapeGoals(results.shapes),
    ...laneGoals(results.lanes, results.six),
    ...sessionGoals(results.session),
    ...decodingGoals(results.decoding),
    ...inspectorGoals(results.inspector),
  ];
  if (rows.length === 0) return rows;
  printTable(
    'Goals',
    ['', 'goal', 'measured', ''],
    rows.map((row) => [row.what, row.goal, row.measured, row.met ? 'met' : `missed ${row.by}`]),
  );
  return rows;
}

function atMost(what, value, limit, write = times) {
  return verdict(what, `at most ${write(limit)}`, value, limit, value <= limit, write);
}

function atLeast(what, value, limit, write = times) {
  return verdict(what, `at least ${write(limit)}`, value, limit, value >= limit, write);
}

function verdict(what, goal, value, limit, met, write) {
  const share = limit === 0 ? write(value) : `${Math.round(Math.abs(value / limit - 1) * 100)} %`;
  return { what, goal, measured: write(value), value, met, by: met ? '' : `by ${share}` };
}

function costGoals(rows = []) {
  const named = (name) => rows.find((row) => row.name === name);
  const cpuOf = (name) => named(name)?.sizes.find(({ tokens }) => tokens === AT)?.taskMs;
  const app = cpuOf('app');
  const goals = [];
  const add = (value, make) => {
    if (value !== undefined && !Number.isNaN(value)) goals.push(make(value));
  };
  add(named('app')?.against[AT], (value) => atMost('cost at 32k tokens against plain lines', value, 1.5));
  add(named('leaf')?.against[AT], (value) => atMost('the same, the renderer alone', value, 1.3));
  add(named('app')?.exponent, (value) => atMost('growth exponent', value, 1.05));
  add(cpuOf('streamdown-full') / app, (value) =>
    atLeast('cheaper than streamdown, full, at 32k', value, 2.3),
  );
  add(cpuOf('react-markdown-full') / app, (value) =>
    atLeast('cheaper than react-markdown, full, at 32k', value, 20),
  );
  const frames = named('app')?.sizes.map(({ framesAfterLastByte }) => framesAfterLastByte);
  if (frames?.length)
    goals.push(atMost('frames from the last byte to the last text', Math.max(...frames), 2, String));
  return goals;
}

function shapeGoals(shapes = {}) {
  return Object.entries(shapes).flatMap(([kind, rows]) => {
    const exponent = rows.find(({ name }) => name === 'app')?.exponent;
    return exponent === undefined ? [] : [atMost(`growth exponent of one giant ${kind}`, exponent, 1.05)];
  });
}

function laneGoals(lanes = [], six = undefined) {
  const goals = [];
  const app = lanes.find(({ name }) => name === 'app');
  if (app !== undefined) {
    goals.push(
      atMost('four lanes at 500 tokens/s: longest task', app.longestTaskMs, 50, ms),
      atMost('four lanes at 500 tokens/s: worst key to paint', app.worstKeyMs, 40, ms),
    );
    // Packets come every 16 ms and frames at their own times: what plain lines get drawn is all that can be.
    const floor = lanes.find(({ name }) => name === 'floor');
    if (floor !== undefined)
      goals.push(
        atLeast(
          'four lanes: updates drawn, of those plain lines draw',
          app.drawnShare / floor.drawnShare,
          0.99,
        ),
      );
  }
  if (six !== undefined)
    goals.push(atMost('six lanes at 100 tokens/s: key to paint, p95', six.keyP95Ms, 50, ms));
  return goals;
}

function sessionGoals(rows = []) {
  const long = rows.find(({ messages }) => messages === 2_000);
  if (long === undefined) return [];
  return [
    atMost('2,000 messages: open', long.openMs, 500, ms),
    atMost(
      '2,000 messages: a key in the composer, CPU',
      long.keyCpuMs,
      8,
      (value) => `${value.toFixed(1)} ms`,
    ),
  ];
}

function decodingGoals(decoding) {
  return decoding === undefined
    ? []
    : [atLeast('decoding, whole layer, against the parser with its push interface', decoding.ratio, 0.8)];
}

function inspectorGoals(inspector) {
  if (inspector === undefined) return [];
  return [
    atMost('a tape of 100,000 events: the inspector opens', inspector.openMs, 1_000, ms),
    atMost('a tape of 100,000 events: all of it is in the list', inspector.wholeMs, 1_000, ms),
    atLeast(
      'a tape of 100,000 events: frames a second while it scrolls',
      inspector.framesPerSecond,
      58,
      (value) => value.toFixed(0),
    ),
  ];
}
