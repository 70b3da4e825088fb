/** Numbers as unsigned LEB128. */
function leb(value) {
  const bytes = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}

const section = (id, content) => [id, ...leb(content.length), ...content];
const f32 = (value) => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];

/** Sums and products that a processor can work on at once, each waiting only for itself. */
const chains = 6;
const flopsPerRound = chains * 2 * 4;

/**
 * A loop of nothing but 128-bit additions and multiplications between registers: what one core can do at most.
 * Written as bytes, so that no compiler can tidy it away.
 */
function boundModule() {
  const locals = { count: 0, plus: 1, times: 2, first: 3 };
  const get = (local) => [0x20, local];
  const set = (local) => [0x21, local];
  const splat = (value) => [...f32(value), 0xfd, 0x13];
  const add = [0xfd, 0xe4, 0x01];
  const multiply = [0xfd, 0xe6, 0x01];
  const all = Array.from({ length: 2 * chains }, (_, index) => locals.first + index);
  const body = [
    ...leb(1),
    ...leb(2 + all.length),
    0x7b,
    ...splat(1e-9),
    ...set(locals.plus),
    ...splat(0.9999999),
    ...set(locals.times),
    ...all.flatMap((local, index) => [...splat(1 + index / 16), ...set(local)]),
    ...[0x03, 0x40],
    ...all.flatMap((local, index) =>
      index < chains
        ? [...get(local), ...get(locals.plus), ...add, ...set(local)]
        : [...get(local), ...get(locals.times), ...multiply, ...set(local)],
    ),
    ...[...get(locals.count), 0x41, 0x01, 0x6b, 0x22, locals.count, 0x0d, 0x00, 0x0b],
    ...get(all[0]),
    ...all.slice(1).flatMap((local) => [...get(local), ...add]),
    ...[0xfd, 0x1f, 0x00, 0x0b],
  ];
  return new WebAssembly.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, [0x01, 0x60, 0x01, 0x7f, 0x01, 0x7d]),
      ...section(3, [0x01, 0x00]),
      ...section(7, [0x01, 0x01, 0x66, 0x00, 0x00]),
      ...section(10, [0x01, ...leb(body.length), ...body]),
    ]),
  );
}

const rounds = 20_000_000;

/** Best of several: GFLOP/s of one core with 128-bit float32. */
export function flopBound(tries) {
  const { f } = new WebAssembly.Instance(boundModule()).exports;
  let best = Infinity;
  for (let attempt = 0; attempt < tries; attempt++) {
    const began = performance.now();
    f(rounds);
    best = Math.min(best, performance.now() - began);
  }
  return (rounds * flopsPerRound) / best / 1e6;
}
