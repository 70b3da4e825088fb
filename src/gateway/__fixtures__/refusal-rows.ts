import type { FieldRefusal } from '../errors/field-refusal.ts';

export interface RefusalRow {
  name: string;
  status?: number;
  body: unknown;
  refusals: FieldRefusal[];
}

const createErrorBody = (message: string, extraFields: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...extraFields },
});
const createUnsupported = (...fields: string[]): FieldRefusal[] =>
  fields.map((field) => ({ field, in: 'request', kind: 'unsupported' }));
const createUnsupportedInMessage = (field: string): FieldRefusal[] => [{ field, in: 'message', kind: 'unsupported' }];
const createValueRefusal = (field: string, isFixed = false): FieldRefusal[] => [{ field, in: 'request', kind: 'value', isFixed }];
const createReplacement = (field: string, replacement: string): FieldRefusal[] => [
  { field, in: 'request', kind: 'replace', replacement },
];
const createMissing = (field: string, container: FieldRefusal['in'] = 'request'): FieldRefusal[] => [
  { field, in: container, kind: 'missing' },
];

/** Request body for all these rows, with the fields that the errors mention. */
export const refusedBody = {
  model: 'north/one',
  messages: [
    { role: 'user', content: 'Go', name: 'Ada' },
    {
      role: 'assistant',
      content: '',
      reasoning_content: 'Hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }],
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'get_weather', arguments: '{}' },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '3' },
  ],
  temperature: 0.3,
  top_p: 0.9,
  max_tokens: 200,
  presence_penalty: 1,
  stop: ['END'],
  n: 2,
  top_k: 40,
  seed: 7,
  logit_bias: {},
  stream: true,
  stream_options: { include_usage: true },
  response_format: { type: 'json_object' },
  tools: [{ type: 'function', function: { name: 'get_weather' } }],
  tool_choice: 'auto',
  reasoning_effort: 'minimal',
  min_p: 0.05,
};

/** Error texts of gateways and providers, with the fields they refer to. */
export const refusalRows: readonly RefusalRow[] = [
  {
    name: 'a renamed field',
    body: createErrorBody("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", { param: 'max_tokens', code: 'unsupported_parameter' }),
    refusals: createReplacement('max_tokens', 'max_completion_tokens'),
  },
  {
    name: 'a renamed field, named only in the message',
    body: { message: 'max_tokens is deprecated in favor of max_completion_tokens.' },
    refusals: createReplacement('max_tokens', 'max_completion_tokens'),
  },
  {
    name: 'a renamed field in backquotes, in a plain-text body',
    body: 'The parameter `max_tokens` is no longer supported, please use `max_completion_tokens`.',
    refusals: createReplacement('max_tokens', 'max_completion_tokens'),
  },
  {
    name: 'a suggested name ("did you mean")',
    body: createErrorBody('Unknown parameter "min_p": did you mean "minimum_probability"?'),
    refusals: createReplacement('min_p', 'minimum_probability'),
  },
  { name: 'a field replaced by a required one', body: createErrorBody('This model requires `max_completion_tokens` instead of `max_tokens`.'), refusals: createReplacement('max_tokens', 'max_completion_tokens') },
  { name: 'a field reported as renamed', body: createErrorBody("'max_tokens' has been renamed to 'max_completion_tokens'"), refusals: createReplacement('max_tokens', 'max_completion_tokens') },
  { name: 'a replacement named before its verb', body: createErrorBody('max_tokens is not supported. max_completion_tokens should be used.'), refusals: createReplacement('max_tokens', 'max_completion_tokens') },
  { name: 'a list of fields that includes an ordinary word', body: createErrorBody('The following parameters are not supported: temperature, top_p and n.'), refusals: createUnsupported('temperature', 'top_p', 'n') },
  { name: 'the only value that a model supports', body: createErrorBody('This model only supports temperature 1'), refusals: createValueRefusal('temperature', true) },
  { name: 'structured details beside an uninformative message', body: { error: { code: 'unsupported_parameter', message: 'No', details: { parameter: 'top_k' } } }, refusals: createUnsupported('top_k') },
  { name: 'a list of named problems', body: { title: 'Validation', 'invalid-params': [{ name: 'top_k', reason: 'is not expected' }] }, refusals: createUnsupported('top_k') },
  { name: 'a field name on a separate line', body: createErrorBody('1 validation error for Request\ntop_k\n  Extra inputs are not permitted [type=extra_forbidden, input_value=40]'), refusals: createUnsupported('top_k') },
  { name: 'a message in another language', body: createErrorBody('不支持的参数: top_k'), refusals: createUnsupported('top_k') },
  { name: 'a field that requires a server option', body: createErrorBody('tool_choice "auto" requires --enable-auto-tool-choice to be set'), refusals: createValueRefusal('tool_choice') },
  {
    name: 'a replacement already present in the request',
    body: createErrorBody("'top_k' is not supported. Use 'top_p' instead."),
    refusals: createUnsupported('top_k'),
  },
  {
    name: 'a replacement that cannot be added',
    body: createErrorBody("'top_k' is not supported. Use 'messages' instead, or use '__proto__'."),
    refusals: createUnsupported('top_k'),
  },
  {
    name: 'a field that accepts only the default value',
    body: createErrorBody("Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.", { param: 'temperature', code: 'unsupported_value' }),
    refusals: createValueRefusal('temperature', true),
  },
  {
    name: 'a field that accepts only one value, reported by LiteLLM',
    body: createErrorBody("litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support temperature=0.3. Only temperature=1 is supported. To drop unsupported params set `litellm.drop_params = True`"),
    refusals: createValueRefusal('temperature', true),
  },
  {
    name: 'a field that accepts only one value under a condition',
    body: { type: 'error', error: { type: 'invalid_request_error', message: '`temperature` may only be set to 1 when thinking is enabled.' } },
    refusals: createValueRefusal('temperature', true),
  },
  { name: 'a fixed value', body: createErrorBody('invalid temperature: only 1 is allowed for this model'), refusals: createValueRefusal('temperature', true) },
  {
    name: 'an unsupported value with a list of supported ones',
    body: createErrorBody("Unsupported value: 'reasoning_effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.", { param: 'reasoning_effort', code: 'unsupported_value' }),
    refusals: createValueRefusal('reasoning_effort'),
  },
  { name: 'an unsupported value, named only in the message', body: createErrorBody("reasoning_effort does not support 'minimal' here"), refusals: createValueRefusal('reasoning_effort') },
  { name: 'a value out of range', body: createErrorBody('temperature must be between 0 and 0.2'), refusals: createValueRefusal('temperature') },
  { name: 'a value that is too large', body: createErrorBody('max_tokens is too large: 200. This model supports at most 100 completion tokens.', { param: 'max_tokens' }), refusals: createValueRefusal('max_tokens') },
  { name: 'a param without a reason', body: createErrorBody('Bad request', { param: 'logit_bias' }), refusals: createValueRefusal('logit_bias') },
  { name: 'two mutually exclusive fields', body: createErrorBody('`temperature` and `top_p` cannot both be specified for this model. Please use only one.'), refusals: createValueRefusal('top_p') },
  { name: 'a path inside a field', body: createErrorBody('Unknown parameter', { param: 'stream_options.include_usage' }), refusals: createUnsupported('stream_options') },
  { name: 'a path inside a list item', body: createErrorBody("Unknown parameter: 'tools[0].function.strict'.", { param: 'tools[0].function.strict' }), refusals: [] },
  { name: 'an error code with the field name', body: { error: { message: 'Bad request', code: 'stream_options_unsupported' } }, refusals: createUnsupported('stream_options') },
  { name: 'a list of arguments', body: createErrorBody('Unrecognized request arguments supplied: min_p, top_k'), refusals: createUnsupported('min_p', 'top_k') },
  { name: 'a single argument', body: createErrorBody('Unrecognized request argument supplied: min_p'), refusals: createUnsupported('min_p') },
  { name: 'an unsupported property', body: { message: "property 'min_p' is unsupported", type: 'invalid_request_error' }, refusals: createUnsupported('min_p') },
  {
    name: 'a list of paths (pydantic)',
    status: 422,
    body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'min_p'], msg: 'Extra inputs are not permitted', input: 0.05 }, { type: 'extra_forbidden', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }] },
    refusals: createUnsupported('min_p', 'top_k'),
  },
  {
    name: 'a list of paths in a message object',
    status: 422,
    body: { object: 'error', message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'min_p'], msg: 'Extra inputs are not permitted' }] }, type: 'invalid_request_error' },
    refusals: createUnsupported('min_p'),
  },
  { name: 'a list of paths in Python notation', body: { object: 'error', message: "[{'type': 'extra_forbidden', 'loc': ('body', 'min_p'), 'msg': 'Extra inputs are not permitted', 'input': 0.05}]", code: 400 }, refusals: createUnsupported('min_p') },
  { name: 'a name before a colon', body: { type: 'error', error: { type: 'invalid_request_error', message: 'top_k: Extra inputs are not permitted' } }, refusals: createUnsupported('top_k') },
  { name: 'a name after a colon', body: createErrorBody("Extra inputs are not permitted, field: 'min_p', value: 0.05"), refusals: createUnsupported('min_p') },
  {
    name: 'an unknown name (Google)',
    body: [{ error: { code: 400, message: 'Invalid JSON payload received. Unknown name "min_p": Cannot find field.', status: 'INVALID_ARGUMENT', details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ description: 'Invalid JSON payload received. Unknown name "min_p": Cannot find field.' }] }] } }],
    refusals: createUnsupported('min_p'),
  },
  { name: 'a name in camel case', body: 'Model north/one does not support parameter presencePenalty.', refusals: createUnsupported('presence_penalty') },
  { name: 'an ordinary word used as a field name', body: createErrorBody('Argument not supported on this model: stop'), refusals: createUnsupported('stop') },
  { name: 'an unknown field beside the known ones (serde)', body: createErrorBody('Failed to deserialize the JSON body into the target type: unknown field `min_p`, expected one of `messages`, `model`, `temperature`, `top_p` at line 1 column 20'), refusals: createUnsupported('min_p') },
  { name: 'an unknown field (Go)', body: 'json: unknown field "min_p"', refusals: createUnsupported('min_p') },
  { name: 'an unknown field beside the known ones (Jackson)', body: { message: 'Unrecognized field "min_p" (class Request), not marked as ignorable (3 known properties: "temperature", "top_p", "stop"])' }, refusals: createUnsupported('min_p') },
  { name: 'a list of keys (zod)', body: { success: false, error: { issues: [{ code: 'unrecognized_keys', keys: ['min_p', 'top_k'], path: [], message: "Unrecognized key(s) in object: 'min_p', 'top_k'" }], name: 'ZodError' } }, refusals: createUnsupported('min_p', 'top_k') },
  { name: 'an additional property (ajv)', body: { errors: [{ instancePath: '', keyword: 'additionalProperties', params: { additionalProperty: 'min_p' }, message: 'must NOT have additional properties' }] }, refusals: createUnsupported('min_p') },
  { name: 'additional properties (Python)', body: createErrorBody("Additional properties are not allowed ('min_p', 'top_k' were unexpected)"), refusals: createUnsupported('min_p', 'top_k') },
  { name: 'an argument (Python)', status: 500, body: { detail: "create() got an unexpected keyword argument 'min_p'" }, refusals: createUnsupported('min_p') },
  { name: 'an object of messages by field', status: 422, body: { errors: { min_p: ['is not allowed'] } }, refusals: createUnsupported('min_p') },
  { name: 'a Python dictionary of parameters (LiteLLM)', body: createErrorBody("litellm.UnsupportedParamsError: openai does not support parameters: {'min_p': 0.05, 'top_k': 40}, for model=north/one. To drop these, set `litellm.drop_params=True`. If you want to use these params dynamically send allowed_openai_params=['min_p'] in your request."), refusals: createUnsupported('min_p', 'top_k') },
  { name: 'nested JSON of the provider', body: createErrorBody('litellm.BadRequestError: MistralException - {"detail":[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]}'), refusals: createUnsupported('seed') },
  { name: 'raw provider JSON in metadata', body: { error: { message: 'Provider returned error', code: 400, metadata: { provider_name: 'Acme', raw: '{"error":{"message":"Unsupported parameter: \'logit_bias\'","param":"logit_bias"}}' } } }, refusals: createUnsupported('logit_bias') },
  { name: 'an ordinary word after the verb', body: createErrorBody('This model does not support tools.'), refusals: createUnsupported('tools') },
  { name: 'a field allowed only with another one', body: createErrorBody("'stream_options' is only allowed when 'stream' is enabled."), refusals: createUnsupported('stream_options') },
  { name: 'a field excluded by another one', body: createErrorBody('Temperature is not supported with reasoning_effort.'), refusals: createUnsupported('temperature') },
  { name: 'a message field named by its path', body: createErrorBody("Unknown parameter: 'messages[1].reasoning_content'.", { param: 'messages[1].reasoning_content' }), refusals: createUnsupportedInMessage('reasoning_content') },
  { name: 'a field of an assistant message (pydantic)', status: 422, body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'], msg: 'Extra inputs are not permitted', input: 'Hm' }] }, refusals: createUnsupportedInMessage('reasoning_content') },
  { name: 'a message field beside its conditions', body: createErrorBody("'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_details' is unsupported)]"), refusals: createUnsupportedInMessage('reasoning_details') },
  { name: 'a field of a tool call', status: 422, body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'messages', 1, 'assistant', 'tool_calls', 0, 'extra_content'], msg: 'Extra inputs are not permitted' }] }, refusals: createUnsupportedInMessage('extra_content') },
  { name: 'an author name', body: createErrorBody("'messages.0' : property 'name' is unsupported"), refusals: createUnsupportedInMessage('name') },
  { name: 'missing reasoning', body: createErrorBody('thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'), refusals: createMissing('reasoning_content', 'message') },
  { name: 'reasoning that must be sent back', body: createErrorBody('The `reasoning_content` in the thinking mode must be passed back to the API.'), refusals: createMissing('reasoning_content', 'message') },
  { name: 'a missing signature', body: [{ error: { code: 400, message: 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.', status: 'INVALID_ARGUMENT' } }], refusals: createMissing('thought_signature', 'message') },
  { name: 'a missing name', body: [{ error: { code: 400, message: '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.', status: 'INVALID_ARGUMENT', details: [{ fieldViolations: [{ field: 'contents[2].parts[0].function_response.name', description: 'Name cannot be empty.' }] }] } }], refusals: createMissing('name', 'message') },
  { name: 'a missing field', body: createErrorBody("Missing required parameter: 'max_output_tokens'.", { param: 'max_output_tokens', code: 'missing_required_parameter' }), refusals: createMissing('max_output_tokens') },
  { name: 'a missing field (pydantic)', status: 422, body: { detail: [{ type: 'missing', loc: ['body', 'dimensions'], msg: 'Field required' }] }, refusals: createMissing('dimensions') },
  { name: 'a context overflow', body: createErrorBody("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8800 in the messages, 200 in the completion). Please reduce the length of the messages or completion.", { code: 'context_length_exceeded', param: 'messages' }), refusals: [] },
  { name: 'an unknown model', status: 404, body: createErrorBody('The model `north/one` does not exist or you do not have access to it.', { code: 'model_not_found' }), refusals: [] },
  { name: 'an invalid sequence of messages', body: createErrorBody("Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", { param: 'messages.[2].role' }), refusals: [] },
  { name: 'a field that was not sent', body: createErrorBody("Unsupported parameter: 'verbosity'.", { param: 'verbosity' }), refusals: [] },
  { name: 'a rejected key', status: 401, body: createErrorBody("Unsupported parameter: 'seed'.", { param: 'seed' }), refusals: [] },
  { name: 'a rate limit', status: 429, body: createErrorBody('Rate limit reached: max_tokens is not allowed.'), refusals: [] },
  { name: 'an overheated server', status: 500, body: createErrorBody('The temperature is too high.'), refusals: [] },
  { name: 'a server crash that mentions a field', status: 500, body: createErrorBody('stream_options broke us'), refusals: [] },
];
