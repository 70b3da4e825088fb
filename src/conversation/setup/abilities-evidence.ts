/** Derives evidence of a model's abilities from a run, based on its request and response, never on a failure alone. */
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { checkJson } from '../reply/json-check.ts';
import { getAnswerText } from '../reply/run.ts';
import { mediaTypes } from '../request/message-images.ts';
import type { Run } from '../session/types.ts';
import type { LearnedAbilities, AbilityOutcome, Sighting } from './learned-abilities.ts';
import { allAbilities, mediaAbilities, type Ability } from './model-marks.ts';

export interface AbilityEvidence {
  ability: Ability;
  outcome: AbilityOutcome;
}

/** Returns the evidence of a run, possibly empty. `body` is the request on the run's tape. */
export function collectEvidence(run: Run, body: unknown): AbilityEvidence[] {
  const requestedAbilities = getRequestedAbilities(body);
  if (run.phase.name === 'failed') {
    const refusedAbility =
      run.phase.error === undefined ? undefined : findRefusedAbility(run.phase.error, requestedAbilities);
    return refusedAbility === undefined ? [] : [{ ability: refusedAbility, outcome: 'refused' }];
  }
  const hasText = run.choices.some((choice) => getAnswerText(choice).trim() !== '');
  const seenAbilities: Record<Ability, boolean> = {
    vision: requestedAbilities.has('vision') && hasText,
    files: requestedAbilities.has('files') && hasText,
    audio: requestedAbilities.has('audio') && hasText,
    tools: run.choices.some((choice) => choice.parts.some((part) => part.type === 'tool-call')),
    thinking: run.choices.some((choice) => choice.parts.some((part) => part.type === 'thinking')),
    json:
      requestedAbilities.has('json') &&
      run.choices.some(
        (choice) => choice.finishReason === 'stop' && checkJson(getAnswerText(choice)).state === 'whole',
      ),
    usage:
      getOwnProperty(body, 'stream') === true &&
      run.usage !== undefined &&
      run.notes.every((note) => note.kind !== 'not-streamed'),
  };
  return allAbilities
    .filter((ability) => seenAbilities[ability])
    .map((ability) => ({ ability, outcome: 'seen' }));
}

/** Returns the abilities that this request needs. */
function getRequestedAbilities(body: unknown): Set<Ability> {
  const messages = getOwnProperty(body, 'messages');
  const partTypes = new Set(
    (Array.isArray(messages) ? messages : []).flatMap((message: unknown) => {
      const content = getOwnProperty(message, 'content');
      return Array.isArray(content) ? content.map((part) => getOwnProperty(part, 'type')) : [];
    }),
  );
  const tools = getOwnProperty(body, 'tools');
  const format = getStringProperty(getOwnProperty(body, 'response_format'), 'type');
  const requirements: [Ability, boolean][] = [
    ...mediaTypes.map((type): [Ability, boolean] => [mediaAbilities[type], partTypes.has(type)]),
    ['tools', Array.isArray(tools) && tools.length > 0],
    [
      'thinking',
      getOwnProperty(body, 'enable_thinking') === true ||
        getOwnProperty(body, 'thinking_budget') !== undefined,
    ],
    ['json', format === 'json_object' || format === 'json_schema'],
    ['usage', getOwnProperty(body, 'stream_options') !== undefined],
  ];
  return new Set(requirements.flatMap(([ability, isRequested]) => (isRequested ? [ability] : [])));
}

const abilityPatterns: Readonly<Record<Ability, RegExp>> = {
  vision: /image|vision|multi-?modal/i,
  files: /\bfiles?\b|file_data|\bpdf|document/i,
  audio: /audio/i,
  tools: /\btools?\b|tool[_ ]choice|function[_ ]call/i,
  thinking: /thinking|reasoning/i,
  json: /response_format|json[_ ]?(?:mode|object|schema|output)/i,
  usage: /stream_options|include_usage/i,
};

/** Matches errors that report a missing ability, as opposed to an invalid request. */
const refusalPattern =
  /not (?:be |currently )?(?:support|available|enabled|allowed|permitted|capable)|unsupported|n['’]t support|does(?: not|n['’]t) (?:accept|allow|have|take|know)|can ?not (?:accept|process|handle|read|use|see)|only (?:supports? )?text|text[- ]only|(?:unknown|unrecognized|unexpected|extra) (?:field|parameter|argument|key|input)|not a (?:vision|multi-?modal)|no endpoints? found/i;

const refusalStatuses = new Set([400, 404, 405, 415, 422, 501]);

/** Returns the ability named in the error, `undefined` if it names none or several. */
function findRefusedAbility(
  error: ErrorReport,
  requestedAbilities: ReadonlySet<Ability>,
): Ability | undefined {
  if (error.source !== 'gateway' && error.source !== 'provider') return undefined;
  if (error.status !== undefined && !refusalStatuses.has(error.status)) return undefined;
  const fields = (error.fields ?? []).flatMap(({ path, message }) => [path, message]);
  const errorText = [error.message, error.type ?? '', error.code ?? '', ...fields].join(' ');
  if (!refusalPattern.test(errorText)) return undefined;
  const namedAbilities = [...requestedAbilities].filter((ability) =>
    abilityPatterns[ability].test(errorText),
  );
  return namedAbilities.length === 1 ? namedAbilities[0] : undefined;
}

/** Adds the evidence to the known abilities of a model. */
export function withEvidence(
  learnedAbilities: LearnedAbilities,
  evidence: readonly AbilityEvidence[],
  sighting: Sighting,
): LearnedAbilities {
  const updated = { ...learnedAbilities };
  for (const { ability, outcome } of evidence)
    updated[ability] = { ...updated[ability], [outcome]: sighting };
  return updated;
}
