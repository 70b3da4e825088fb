import type { ChatRequest } from '../../gateway/wire.ts';
import { describeCodeFile, getDataPrefix, type CodeFile } from './code-files.ts';
import { formatLiteral, scriptStyle } from './code-literal.ts';
import { buildCodeRequest, splitSdkFields, type CodeRequest } from './code-request.ts';

/**
 * Formats the request as code that is valid in both strict TypeScript and JavaScript, so it runs without compilation.
 */

/** Formats the request for the `openai` package; fields missing from its types are added with a spread. */
export function buildTypescriptCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const request = buildCodeRequest(body, getVariableName, mediaTypes);
  const { sdkFields, extraFields } = splitSdkFields(request.fields);
  const argumentLines = buildFieldLines(sdkFields, '  ');
  if (extraFields.length > 0) {
    argumentLines.push(
      "  // Not in the SDK's types: sent unchanged.",
      `  ...${formatLiteral(Object.fromEntries(extraFields), scriptStyle, 1, 3)},`,
    );
  }
  const lines = [
    ...buildImports(request.files),
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    "  // The gateway's origin, without /v1.",
    '  baseURL: `${env.GATEWAY_BASE_URL}/v1`,',
    '  apiKey: env.GATEWAY_API_KEY,',
    '});',
    '',
    ...buildFileLines(request.files),
    `const ${request.isStreaming ? 'stream' : 'completion'} = await client.chat.completions.create({`,
    ...argumentLines,
    '});',
    ...(request.isStreaming ? buildStreamOutput(request) : buildCompletionOutput(request)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Formats the request for plain `fetch`, which Node and other runtimes provide. */
export function buildFetchCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const request = buildCodeRequest(body, getVariableName, mediaTypes);
  const lines = [
    ...buildImports(request.files),
    '',
    ...buildFileLines(request.files),
    "// GATEWAY_BASE_URL: the gateway's origin, without /v1. GATEWAY_API_KEY: its API key.",
    'const response = await fetch(`${env.GATEWAY_BASE_URL}/v1/chat/completions`, {',
    '  method: "POST",',
    '  headers: {',
    '    authorization: `Bearer ${env.GATEWAY_API_KEY}`,',
    '    "content-type": "application/json",',
    '  },',
    '  body: JSON.stringify({',
    ...buildFieldLines(request.fields, '    '),
    '  }),',
    '});',
    'if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);',
    ...(request.isStreaming
      ? buildFetchStreamOutput(request)
      : ['', 'const completion = await response.json();', ...buildCompletionOutput(request)]),
  ];
  return `${lines.join('\n')}\n`;
}

function getVariableName({ kind, number }: CodeFile): string {
  return `${kind}${number}`;
}

function buildFieldLines(fields: CodeRequest['fields'], indent: string): string[] {
  return fields.map(([name, value]) => {
    const key = scriptStyle.key(name);
    return `${indent}${key}${formatLiteral(value, scriptStyle, indent.length / 2, key.length + 1)},`;
  });
}

function buildImports(files: readonly CodeFile[]): string[] {
  const fileImports = files.length > 0 ? ['import { readFileSync } from "node:fs";'] : [];
  return [...fileImports, 'import { env } from "node:process";'];
}

function buildFileLines(files: readonly CodeFile[]): string[] {
  return files.flatMap((file) => [
    `// ${describeCodeFile(file)}`,
    `const ${getVariableName(file)} = ${file.kind === 'audio' ? '' : `"${getDataPrefix(file)}" + `}readFileSync("${file.file}", "base64");`,
    '',
  ]);
}

function buildStreamOutput({ hasMultipleCandidates, hasTools }: CodeRequest): string[] {
  const toolCallLines = hasTools
    ? ['    if (choice.delta.tool_calls) console.log(choice.delta.tool_calls);']
    : [];
  if (!hasMultipleCandidates) {
    return [
      'for await (const chunk of stream) {',
      '  for (const choice of chunk.choices) {',
      '    process.stdout.write(choice.delta.content ?? "");',
      ...toolCallLines,
      '  }',
      '}',
    ];
  }
  return [
    'const answers = [""];',
    'for await (const chunk of stream) {',
    '  for (const choice of chunk.choices) {',
    '    answers[choice.index] = (answers[choice.index] ?? "") + (choice.delta.content ?? "");',
    ...toolCallLines,
    '  }',
    '}',
    'answers.forEach((answer, index) => console.log(index + 1, answer));',
  ];
}

function buildCompletionOutput({ hasMultipleCandidates, hasTools }: CodeRequest): string[] {
  const printedField = hasTools ? 'message' : 'message.content';
  if (!hasMultipleCandidates) return [`console.log(completion.choices[0]?.${printedField});`];
  return [`for (const choice of completion.choices) console.log(choice.index + 1, choice.${printedField});`];
}

function buildFetchStreamOutput({ hasMultipleCandidates, hasTools }: CodeRequest): string[] {
  const printLine = hasMultipleCandidates
    ? 'answers[choice.index] = (answers[choice.index] ?? "") + (choice.delta?.content ?? "");'
    : 'process.stdout.write(choice.delta?.content ?? "");';
  return [
    '',
    ...(hasMultipleCandidates ? ['const answers = [""];'] : []),
    'let rest = "";',
    'for await (const text of response.body.pipeThrough(new TextDecoderStream())) {',
    '  const lines = (rest + text).split(/\\r?\\n/);',
    '  rest = lines.pop() ?? "";',
    '  for (const line of lines) {',
    '    // One event per line; [DONE], if sent, is the last.',
    '    if (!line.startsWith("data:") || line.endsWith("[DONE]")) continue;',
    '    for (const choice of JSON.parse(line.slice(5)).choices ?? []) {',
    `      ${printLine}`,
    ...(hasTools
      ? ['      if (choice.delta?.tool_calls) console.log(JSON.stringify(choice.delta.tool_calls));']
      : []),
    '    }',
    '  }',
    '}',
    ...(hasMultipleCandidates ? ['answers.forEach((answer, index) => console.log(index + 1, answer));'] : []),
  ];
}
