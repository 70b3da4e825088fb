/** Example trials. With a real gateway they use the gateway's models. */
import type { ModelChoice, Setup } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { formatList } from '../../lib/format.ts';
import type { JsonObject } from '../../lib/json.ts';
import { createCaseIdAllocator, findSentFields } from '../cases.ts';
import { createTrial } from '../edit-trial.ts';
import type { Case, Check, Trial } from '../trial.ts';
import { questionLabels, questions, type QuestionKind } from './questions.ts';

/** Content of an example trial; IDs and times are added on creation. */
export interface TrialStarter {
  title: string;
  /** The first part of "60 tickets, 2 columns, 120 requests, 2 min 25 s"; the rest is computed from the plan. */
  description: string;
  system: string;
  prompt: string;
  fields: string[];
  cases: Omit<Case, 'id'>[];
  repeats: number;
  /** Checks; the first one decides. */
  checks: Omit<Check, 'id'>[];
  /** Extra request fields per column that only demo/quiz supports; sent only to that model. */
  columns: JsonObject[];
  /** Present if each column goes through another gateway, with the same model if possible. */
  isAcrossGateways?: true;
}

/** Model of the starters on the embedded gateway. */
export const starterModel = 'demo/quiz';

const createCases = (kind: QuestionKind, field: string): Omit<Case, 'id'>[] =>
  questions
    .filter((question) => question.kind === kind)
    .map(({ text, answer }, index) => ({ values: { [field]: text, [kind]: answer }, line: index + 1 }));

const tickets = {
  system:
    'You route support tickets for an online shop. Answer in JSON with team, and why in at most eight words.',
  prompt: `{{ticket}}\nWhich team should handle it: ${formatList(questionLabels.team, 'or')}?`,
  fields: ['ticket', 'team'],
  cases: createCases('team', 'ticket'),
  repeats: 1,
  checks: [
    { name: 'right team', kind: 'equals', field: 'team', expected: { value: 'team' }, settings: {} },
    { name: 'valid JSON', kind: 'is JSON', settings: {} },
    { name: 'short why', kind: 'length', field: 'why', settings: { atMost: 8, unit: 'words' } },
  ],
} satisfies Partial<TrialStarter>;

export const starters: readonly TrialStarter[] = [
  {
    ...tickets,
    title: 'Which setup routes tickets better?',
    description: '60 tickets, 2 columns',
    columns: [{ demo_accuracy: 0.65 }, { demo_accuracy: 0.92 }],
  },
  {
    title: 'Same setup twice',
    description: 'See how much results vary by chance',
    system: 'Answer with the number only.',
    prompt: '{{question}}',
    fields: ['question', 'answer'],
    cases: createCases('answer', 'question'),
    repeats: 1,
    checks: [{ name: 'right number', kind: 'number within', expected: { value: 'answer' }, settings: {} }],
    columns: [{ demo_accuracy: 0.8 }, { demo_accuracy: 0.8 }],
  },
  {
    title: 'Which setup is fastest, and which fails?',
    description: '40 outage reports, 3 columns (one sometimes fails), 2 repeats',
    system: `Rate how severe the outage is: ${formatList(questionLabels.severity, 'or')}. Answer with one word only.`,
    prompt: '{{report}}',
    fields: ['report', 'severity'],
    cases: createCases('severity', 'report'),
    repeats: 2,
    checks: [
      {
        name: 'right severity',
        kind: 'equals',
        expected: { value: 'severity' },
        settings: { ignoreCase: true },
      },
      { name: 'fast first token', kind: 'first token within', settings: { ms: 300 } },
    ],
    columns: [{ demo_latency_ms: 200 }, { demo_latency_ms: 350 }, { demo_latency_ms: 350, demo_fail: 0.06 }],
  },
  {
    ...tickets,
    title: 'Same prompt through two gateways',
    description: '60 tickets, 2 columns on different gateways',
    columns: [{ demo_accuracy: 0.9 }, { demo_accuracy: 0.9 }],
    isAcrossGateways: true,
  },
];

/**
 * Returns the models for `isAcrossGateways`: the first chat model that both gateways list, otherwise the first chat
 * model of each. The first gateway has no name in setups.
 */
export function pickGatewayModels(
  gateways: readonly { name: string | undefined; models: readonly ModelRecord[] }[],
): ModelChoice[] {
  const lists = gateways.slice(0, 2).map(({ name, models }) => ({ name, ids: listChatModels(models) }));
  const [first, second] = lists;
  const commonId = first?.ids.find((id) => second?.ids.includes(id));
  return lists.map(({ name, ids }) => ({
    model: commonId ?? ids[0] ?? '',
    ...(name === undefined ? {} : { gateway: name }),
  }));
}

/** Returns the IDs of the chat models, that of the starters first; without any, of models of unknown kind. */
function listChatModels(models: readonly ModelRecord[]): string[] {
  const chatModels = models.filter(({ kind }) => kind === 'chat');
  const candidates = chatModels.length > 0 ? chatModels : models.filter(({ kind }) => kind === 'unknown');
  const ids = candidates.map(({ id }) => id);
  return ids.includes(starterModel) ? [starterModel, ...ids.filter((id) => id !== starterModel)] : ids;
}

/** Clock, ID generator and seed for creating a trial. */
export interface TrialEnvironment {
  now: () => number;
  newId: () => string;
  seed: number;
}

/**
 * Creates a draft from a starter, assigning the models to the columns in turn. Fields of demo/quiz are sent only to
 * demo/quiz.
 */
export async function createStarterTrial(
  starter: TrialStarter,
  models: readonly ModelChoice[],
  environment: TrialEnvironment,
): Promise<{ trial: Trial; cases: Case[] }> {
  const { newId } = environment;
  const columns = starter.columns.map((extraFields, index) => {
    const choice = models[index % models.length] ?? { model: starterModel };
    return { id: newId(), setup: createSetup(starter, choice, extraFields) };
  });
  const checks = starter.checks.map((check) => ({ ...check, id: newId() }));
  const messages = [{ role: 'user' as const, content: starter.prompt }];
  const createCaseId = createCaseIdAllocator(findSentFields({ messages, columns }));
  const cases: Case[] = [];
  for (const testCase of starter.cases) cases.push({ id: await createCaseId(testCase), ...testCase });
  const draft = createTrial(columns, messages, environment);
  const trial: Trial = {
    ...draft,
    title: starter.title,
    fields: starter.fields,
    repeats: starter.repeats,
    checks,
    ...(checks[0] ? { decides: checks[0].id } : {}),
    batches: [{ caseIds: cases.map(({ id }) => id), addedAt: draft.createdAt }],
  };
  return { trial, cases };
}

function createSetup({ system }: TrialStarter, choice: ModelChoice, extraFields: JsonObject): Setup {
  const fields = { 'Extra provider fields': { sent: true, text: JSON.stringify(extraFields) } };
  return {
    ...choice,
    system,
    params: { ...defaultParams, ...(choice.model === starterModel ? fields : {}) },
  };
}
