import type { ChatRequest } from '../../gateway/wire.ts';
import { imageComment } from './code-images.ts';
import { literalOf, pythonStyle } from './code-literal.ts';
import { codeRequestOf, sdkPartsOf, type CodeRequest } from './code-request.ts';

/** The request with the `openai` package of Python; fields that it does not know go into extra_body. */
export function pythonCode(body: ChatRequest, mediaTypes?: ReadonlyMap<string, string>): string {
  const request = codeRequestOf(body, ({ number }) => `image_${number}`, mediaTypes);
  const { known, extra } = sdkPartsOf(request.fields);
  const call = known.map(
    ([name, value]) => `    ${name}=${literalOf(value, pythonStyle, 1, name.length + 2)},`,
  );
  if (extra.length > 0) {
    call.push(
      '    # Not SDK arguments: sent unchanged.',
      `    extra_body=${literalOf(Object.fromEntries(extra), pythonStyle, 1, 12)},`,
    );
  }
  const hasImages = request.images.length > 0;
  const lines = [
    ...(hasImages ? ['import base64'] : []),
    'import os',
    ...(hasImages ? ['from pathlib import Path'] : []),
    '',
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    "    # The gateway's origin, without /v1.",
    '    base_url=os.environ["GATEWAY_BASE_URL"] + "/v1",',
    '    api_key=os.environ["GATEWAY_API_KEY"],',
    ')',
    '',
    ...request.images.flatMap((image) => [
      `# ${imageComment(image)}`,
      `image_${image.number} = "data:${image.mediaType};base64," + base64.b64encode(Path("${image.file}").read_bytes()).decode()`,
      '',
    ]),
    `${request.streams ? 'stream' : 'completion'} = client.chat.completions.create(`,
    ...call,
    ')',
    ...(request.streams ? streamed(request) : whole(request)),
  ];
  return `${lines.join('\n')}\n`;
}

function streamed({ isMany, hasTools }: CodeRequest): string[] {
  const calls = hasTools
    ? ['        if choice.delta.tool_calls:', '            print(choice.delta.tool_calls)']
    : [];
  if (!isMany) {
    return [
      'for chunk in stream:',
      '    for choice in chunk.choices:',
      '        print(choice.delta.content or "", end="", flush=True)',
      ...calls,
      'print()',
    ];
  }
  return [
    'answers = {}',
    'for chunk in stream:',
    '    for choice in chunk.choices:',
    '        answers[choice.index] = answers.get(choice.index, "") + (choice.delta.content or "")',
    ...calls,
    'for index, answer in sorted(answers.items()):',
    '    print(index + 1, answer)',
  ];
}

function whole({ isMany, hasTools }: CodeRequest): string[] {
  const shown = hasTools ? 'message' : 'message.content';
  if (!isMany) return [`print(completion.choices[0].${shown})`];
  return ['for choice in completion.choices:', `    print(choice.index + 1, choice.${shown})`];
}
