import type { ChatRequest } from '../../gateway/wire.ts';
import { imageComment, type CodeImage } from './code-images.ts';
import { literalOf, scriptStyle } from './code-literal.ts';
import { codeRequestOf, sdkPartsOf, type CodeRequest } from './code-request.ts';

/** All code here is TypeScript in strict mode and JavaScript at once, so that it runs as it is. */

/** The request with the `openai` package; a spread carries the fields that its types do not know. */
export function typescriptCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const request = codeRequestOf(body, variableOf, mediaTypes);
  const { known, extra } = sdkPartsOf(request.fields);
  const call = fieldLines(known, '  ');
  if (extra.length > 0) {
    call.push(
      "  // Not in the SDK's types: sent unchanged.",
      `  ...${literalOf(Object.fromEntries(extra), scriptStyle, 1, 3)},`,
    );
  }
  const lines = [
    ...imports(request.images),
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    "  // The gateway's origin, without /v1.",
    '  baseURL: `${env.GATEWAY_BASE_URL}/v1`,',
    '  apiKey: env.GATEWAY_API_KEY,',
    '});',
    '',
    ...imageLines(request.images),
    `const ${request.streams ? 'stream' : 'completion'} = await client.chat.completions.create({`,
    ...call,
    '});',
    ...(request.streams ? streamed(request) : whole(request)),
  ];
  return `${lines.join('\n')}\n`;
}

/** The request with nothing but `fetch`, as Node and other runtimes have it. */
export function fetchCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const request = codeRequestOf(body, variableOf, mediaTypes);
  const lines = [
    ...imports(request.images),
    '',
    ...imageLines(request.images),
    "// GATEWAY_BASE_URL: the gateway's origin, without /v1. GATEWAY_API_KEY: its key.",
    'const response = await fetch(`${env.GATEWAY_BASE_URL}/v1/chat/completions`, {',
    '  method: "POST",',
    '  headers: {',
    '    authorization: `Bearer ${env.GATEWAY_API_KEY}`,',
    '    "content-type": "application/json",',
    '  },',
    '  body: JSON.stringify({',
    ...fieldLines(request.fields, '    '),
    '  }),',
    '});',
    'if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);',
    ...(request.streams
      ? fetchStreamed(request)
      : ['', 'const completion = await response.json();', ...whole(request)]),
  ];
  return `${lines.join('\n')}\n`;
}

function variableOf({ number }: CodeImage): string {
  return `image${number}`;
}

function fieldLines(fields: CodeRequest['fields'], indent: string): string[] {
  return fields.map(([name, value]) => {
    const key = scriptStyle.key(name);
    return `${indent}${key}${literalOf(value, scriptStyle, indent.length / 2, key.length + 1)},`;
  });
}

function imports(images: readonly CodeImage[]): string[] {
  const file = images.length > 0 ? ['import { readFileSync } from "node:fs";'] : [];
  return [...file, 'import { env } from "node:process";'];
}

function imageLines(images: readonly CodeImage[]): string[] {
  return images.flatMap((image) => [
    `// ${imageComment(image)}`,
    `const ${variableOf(image)} = "data:${image.mediaType};base64," + readFileSync("${image.file}", "base64");`,
    '',
  ]);
}

function streamed({ isMany, hasTools }: CodeRequest): string[] {
  const calls = hasTools ? ['    if (choice.delta.tool_calls) console.log(choice.delta.tool_calls);'] : [];
  if (!isMany) {
    return [
      'for await (const chunk of stream) {',
      '  for (const choice of chunk.choices) {',
      '    process.stdout.write(choice.delta.content ?? "");',
      ...calls,
      '  }',
      '}',
    ];
  }
  return [
    'const answers = [""];',
    'for await (const chunk of stream) {',
    '  for (const choice of chunk.choices) {',
    '    answers[choice.index] = (answers[choice.index] ?? "") + (choice.delta.content ?? "");',
    ...calls,
    '  }',
    '}',
    'answers.forEach((answer, index) => console.log(index + 1, answer));',
  ];
}

function whole({ isMany, hasTools }: CodeRequest): string[] {
  const shown = hasTools ? 'message' : 'message.content';
  if (!isMany) return [`console.log(completion.choices[0]?.${shown});`];
  return [`for (const choice of completion.choices) console.log(choice.index + 1, choice.${shown});`];
}

function fetchStreamed({ isMany, hasTools }: CodeRequest): string[] {
  const said = isMany
    ? 'answers[choice.index] = (answers[choice.index] ?? "") + (choice.delta?.content ?? "");'
    : 'process.stdout.write(choice.delta?.content ?? "");';
  return [
    '',
    ...(isMany ? ['const answers = [""];'] : []),
    'let rest = "";',
    'for await (const text of response.body.pipeThrough(new TextDecoderStream())) {',
    '  const lines = (rest + text).split(/\\r?\\n/);',
    '  rest = lines.pop() ?? "";',
    '  for (const line of lines) {',
    '    // One event per line; [DONE], if sent, is the last.',
    '    if (!line.startsWith("data:") || line.endsWith("[DONE]")) continue;',
    '    for (const choice of JSON.parse(line.slice(5)).choices ?? []) {',
    `      ${said}`,
    ...(hasTools
      ? ['      if (choice.delta?.tool_calls) console.log(JSON.stringify(choice.delta.tool_calls));']
      : []),
    '    }',
    '  }',
    '}',
    ...(isMany ? ['answers.forEach((answer, index) => console.log(index + 1, answer));'] : []),
  ];
}
