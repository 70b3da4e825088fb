import type { ChatRequest } from '../../gateway/wire.ts';
import { describeCodeFile, getDataPrefix } from './code-files.ts';
import { formatLiteral, pythonStyle } from './code-literal.ts';
import { buildCodeRequest, splitSdkFields, type CodeRequest } from './code-request.ts';

/** Formats the request for the Python package `openai`; fields unknown to it are passed in extra_body. */
export function buildPythonCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const request = buildCodeRequest(body, ({ kind, number }) => `${kind}_${number}`, mediaTypes);
  const { sdkFields, extraFields } = splitSdkFields(request.fields);
  const argumentLines = sdkFields.map(
    ([name, value]) => `    ${name}=${formatLiteral(value, pythonStyle, 1, name.length + 2)},`,
  );
  if (extraFields.length > 0) {
    argumentLines.push(
      '    # Not SDK arguments: sent unchanged.',
      `    extra_body=${formatLiteral(Object.fromEntries(extraFields), pythonStyle, 1, 12)},`,
    );
  }
  const hasFiles = request.files.length > 0;
  const lines = [
    ...(hasFiles ? ['import base64'] : []),
    'import os',
    ...(hasFiles ? ['from pathlib import Path'] : []),
    '',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    "    # The gateway's origin, without /v1.",
    '    base_url=os.environ["GATEWAY_BASE_URL"] + "/v1",',
    '    api_key=os.environ["GATEWAY_API_KEY"],',
    ')',
    '',
    ...request.files.flatMap((file) => [
      `# ${describeCodeFile(file)}`,
      `${file.kind}_${file.number} = ${file.kind === 'audio' ? '' : `"${getDataPrefix(file)}" + `}base64.b64encode(Path("${file.file}").read_bytes()).decode()`,
      '',
    ]),
    `${request.isStreaming ? 'stream' : 'completion'} = client.chat.completions.create(`,
    ...argumentLines,
    ')',
    ...(request.isStreaming ? buildStreamOutput(request) : buildCompletionOutput(request)),
  ];
  return `${lines.join('\n')}\n`;
}

function buildStreamOutput({ hasMultipleCandidates, hasTools }: CodeRequest): string[] {
  const toolCallLines = hasTools
    ? ['        if choice.delta.tool_calls:', '            print(choice.delta.tool_calls)']
    : [];
  if (!hasMultipleCandidates) {
    return [
      'for chunk in stream:',
      '    for choice in chunk.choices:',
      '        print(choice.delta.content or "", end="", flush=True)',
      ...toolCallLines,
      'print()',
    ];
  }
  return [
    'answers = {}',
    'for chunk in stream:',
    '    for choice in chunk.choices:',
    '        answers[choice.index] = answers.get(choice.index, "") + (choice.delta.content or "")',
    ...toolCallLines,
    'for index, answer in sorted(answers.items()):',
    '    print(index + 1, answer)',
  ];
}

function buildCompletionOutput({ hasMultipleCandidates, hasTools }: CodeRequest): string[] {
  const printedField = hasTools ? 'message' : 'message.content';
  if (!hasMultipleCandidates) return [`print(completion.choices[0].${printedField})`];
  return ['for choice in completion.choices:', `    print(choice.index + 1, choice.${printedField})`];
}
