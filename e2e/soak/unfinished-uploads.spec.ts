/**
 * Measures the memory of the built server, as Linux reports it in /proc, while many large uploads never end. Small
 * requests must be answered meanwhile.
 */
import { readFileSync } from 'node:fs';
import { request as sendRequest, type ClientRequest } from 'node:http';

import { startBench, type BenchServer } from '../bench-server.ts';
import { expect, test as base } from '../fixtures.ts';

const test = base.extend<{ freshServer: BenchServer }>({
  /** Server that no other test has used, since a process keeps the memory that it once needed. */
  freshServer: async ({ gateway }, use) => {
    const server = await startBench({ GATEWAY_BASE_URL: gateway.url });
    await use(server);
    await server.stop();
  },
});

const uploadCount = 60;
const uploadBytes = 18 * 1024 * 1024;
const missingBytes = 100;
const maxGrowthBytes = 256 * 1024 * 1024;

for (const { title, headers } of [
  { title: 'of a known length', headers: { 'content-length': String(uploadBytes) } },
  { title: 'of an unknown length', headers: { 'transfer-encoding': 'chunked' } },
]) {
  test(`answers other requests in little memory during ${uploadCount} unfinished uploads ${title}`, async ({
    freshServer: server,
    gateway,
  }) => {
    gateway.setChatScript((answer) => answer.sendJson(200, { ok: true }));
    const url = new URL('/gateway/v1/chat/completions', server.url);
    const commonHeaders = {
      origin: url.origin,
      'content-type': 'application/json',
      'x-gateway-playground': '1',
    };
    const sendSmall = async () => {
      const response = await fetch(url, { method: 'POST', headers: commonHeaders, body: '{}' });
      await response.text();
      return response.status;
    };
    // Modules and compiled code count as memory from before.
    for (let count = 0; count < 20; count += 1) await sendSmall();
    const initialBytes = readMemory(server.pid, 'VmRSS');

    const uploads = Array.from({ length: uploadCount }, () =>
      startUpload(url, { ...commonHeaders, ...headers }),
    );
    const statuses = new Set<number>();
    let isSent = false;
    void Promise.all(uploads.map(({ sent }) => sent)).then(() => (isSent = true));
    for (let rounds = 0; rounds < 50; rounds += isSent ? 1 : 0) statuses.add(await sendSmall());
    const answers = uploads.flatMap(({ getAnswer }) => getAnswer() ?? []);
    const growthBytes = readMemory(server.pid, 'VmHWM') - initialBytes;
    console.log(
      `${title}: ${Math.round(growthBytes / 1024 ** 2)} MB more, ${answers.length} uploads refused, seen ${[...statuses].join(', ')}`,
    );

    expect([...statuses]).toEqual([200]);
    expect(growthBytes).toBeLessThanOrEqual(maxGrowthBytes);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer).toContain('receiving too many large requests');
    // The others are still being received.
    expect(uploadCount - answers.length).toBeGreaterThan(0);

    for (const { request } of uploads) request.destroy();
    await expect.poll(sendSmall).toBe(200);
  });
}

/** Returns the bytes of a process in physical memory: now (VmRSS), or the maximum so far (VmHWM). */
function readMemory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}

interface Upload {
  request: ClientRequest;
  /** Resolves when everything but the end is sent, or when the server refuses the rest. */
  sent: Promise<void>;
  getAnswer: () => string | undefined;
}

function startUpload(url: URL, headers: Record<string, string>): Upload {
  const request = sendRequest(url, { method: 'POST', headers, agent: false });
  let answer: string | undefined;
  request.on('response', (response) => {
    response.on('data', (bytes: Buffer) => (answer = (answer ?? '') + bytes.toString()));
  });
  const sent = new Promise<void>((resolve) => {
    // The server resets the connection of an upload that it refused.
    request.on('error', () => resolve());
    request.on('close', () => resolve());
    const piece = Buffer.alloc(64 * 1024, 'a');
    let remainingBytes = uploadBytes - missingBytes;
    const write = () => {
      while (remainingBytes > 0) {
        const bytes = piece.subarray(0, remainingBytes);
        remainingBytes -= bytes.length;
        if (request.write(bytes)) continue;
        request.once('drain', write);
        return;
      }
      resolve();
    };
    write();
  });
  return { request, sent, getAnswer: () => answer };
}
