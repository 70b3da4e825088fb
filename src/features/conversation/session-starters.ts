/** Starters for new users, limited to features that the gateway's models have. */
import type { ModelChoice } from '../../conversation/session/types.ts';
import {
  defaultSchemaFormat,
  schemaExamples,
  stringifySchemaFormat,
} from '../../conversation/setup/json-schema-format.ts';
import {
  defaultParams,
  getParamRow,
  withText,
  type Params,
  type RefusedFields,
} from '../../conversation/setup/params.ts';
import { isFieldUnlisted, listChatModels, type ModelRecord } from '../../gateway/models/model-record.ts';

/** A starter: the setups of its lanes, and the message to send. */
export interface SessionStarter {
  icon: 'compare' | 'tools' | 'think' | 'models' | 'once' | 'image' | 'json';
  title: string;
  description: string;
  lanes: readonly { model: string; params: Params }[];
  prompt: string;
  /** Image attached to the message. */
  imageUrl?: string;
}

const toolParams = withText(defaultParams, 'tools', getParamRow('tools').initialText);
const incidentFormat = stringifySchemaFormat(schemaExamples[0]?.format ?? defaultSchemaFormat);

/** Image of a lighthouse, 96 × 64 px. */
const lighthouseUrl =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAIAAABqVuVZAAAAlklEQVR42u3VsQ2AIBCGUaZwBmv2YVsLprGxo8EBRCsTj/gu3wCX1/xpP5oeSggAAQIECBAgQIC+q9X1LkCAAAECBCj+zNecr5l5QIDeqo8OECBAgAABMvOAAAECBAiQmQcECBAgQIDMPCBAgAABMvOAAE0BtJQtQkOgCI8BmgQobIAAAQIECBAgQIAECBAgQIAAAfpXJ1XKHfLaeFm3AAAAAElFTkSuQmCC';

function createImageStarter(model: string): SessionStarter {
  return {
    icon: 'image',
    title: 'Show a model an image',
    description: 'a question about a small picture',
    lanes: [{ model, params: defaultParams }],
    prompt: 'What is in this picture?',
    imageUrl: lighthouseUrl,
  };
}

function createDemoStarters(hasModel: (model: string) => boolean): SessionStarter[] {
  const lowParams = withText(withText(defaultParams, 'temperature', '0.2'), 'seed', '7');
  const highParams = withText(withText(defaultParams, 'temperature', '1.6'), 'seed', '7');
  const reasoningParams = withText(defaultParams, 'enable_thinking', 'true');
  const starters: SessionStarter[] = [
    {
      icon: 'compare',
      title: 'Compare two temperatures side by side',
      description: 'one model at 0.2 and 1.6',
      lanes: [
        { model: 'demo/sampler', params: lowParams },
        { model: 'demo/sampler', params: highParams },
      ],
      prompt: 'When the gateway answers, the page',
    },
    {
      icon: 'tools',
      title: 'Let a model call a tool',
      description: 'you supply the result and it continues',
      lanes: [{ model: 'demo/tools', params: toolParams }],
      prompt: 'What is the weather in Paris?',
    },
    {
      icon: 'think',
      title: 'Limit how long a model reasons',
      description: 'one problem, 128 or 2,048 reasoning tokens',
      lanes: ['128', '2048'].map((budget) => ({
        model: 'demo/thinker',
        params: withText(reasoningParams, 'thinking_budget', budget),
      })),
      prompt: 'What is ((17 + 23) * 4 - 144 / 12) * (250 - 37 * 5) + 2,480 / 8?',
    },
    {
      icon: 'json',
      title: 'Get an answer that fits a schema',
      description: 'every field is checked as it arrives',
      lanes: [{ model: 'demo/extract', params: withText(defaultParams, 'response_format', incidentFormat) }],
      prompt:
        'Checkout became slow at 14:06, four minutes after a deploy. Severity: high. Service: checkout. Customers notice that payments take 5 seconds. The next step is to roll back.',
    },
    createImageStarter('demo/vision'),
  ];
  return starters.filter(({ lanes }) => lanes.every(({ model }) => hasModel(model)));
}

/** Creates starters for a gateway about which only model IDs are known. */
function createGenericStarters(
  models: readonly string[],
  chosenModel: string,
  supportsField: SupportsField,
): SessionStarter[] {
  const firstModel = chosenModel === '' ? models[0] : chosenModel;
  const secondModel = models.find((model) => model !== firstModel);
  if (firstModel === undefined) return [];
  const temperatureStarter: SessionStarter = {
    icon: 'compare',
    title: 'Compare two temperatures side by side',
    description: 'one model at 0.2 and 1.2',
    lanes: ['0.2', '1.2'].map((value) => ({
      model: firstModel,
      params: withText(defaultParams, 'temperature', value),
    })),
    prompt: 'Suggest a name for a café beside a lighthouse, and say why in one sentence.',
  };
  const starters: SessionStarter[] = [
    temperatureStarter,
    secondModel === undefined
      ? {
          icon: 'once',
          title: 'Watch an answer stream',
          description: 'with live speed and timing',
          lanes: [{ model: firstModel, params: defaultParams }],
          prompt: 'Explain in three sentences how a lighthouse lamp works.',
        }
      : {
          icon: 'models',
          title: 'Compare two models',
          description: 'the same question to both at once',
          lanes: [firstModel, secondModel].map((model) => ({ model, params: defaultParams })),
          prompt: 'Explain in three sentences how a lighthouse lamp works.',
        },
    {
      icon: 'tools',
      title: 'Let a model call a tool',
      description: 'you supply the result of each call',
      lanes: [{ model: firstModel, params: toolParams }],
      prompt: 'What is the weather in Paris? Use the tool.',
    },
  ];
  return starters.filter(({ lanes }) =>
    lanes.every((lane) => listSetFields(lane).every((field) => supportsField(lane.model, field))),
  );
}

/** Lists the fields that a starter sets in addition to those sent by default. */
function listSetFields({ params }: SessionStarter['lanes'][number]): string[] {
  return Object.keys(params).filter((name) => !Object.hasOwn(defaultParams, name));
}

/** Returns false if the model rejected the field or its record does not list it. */
type SupportsField = (model: string, field: string) => boolean;

/** Returns the starters for the demo models if all of these are listed, otherwise generic starters. */
export function listStarters(
  models: readonly ModelRecord[],
  chosenModel: string,
  getRefusedFields: (choice: ModelChoice) => RefusedFields = () => ({}),
): SessionStarter[] {
  const chatModels = listChatModels(models);
  const ids = chatModels.map(({ id }) => id);
  const demo = createDemoStarters((model) => ids.includes(model));
  if (demo.length === 5) return demo;
  const visionModel = chatModels.find(({ abilities }) => abilities.vision === true);
  const records = new Map(chatModels.map((record) => [record.id, record]));
  const supportsField: SupportsField = (model, field) => {
    const record = records.get(model);
    return getRefusedFields({ model })[field] !== null && !(record && isFieldUnlisted(record, field));
  };
  return [
    ...createGenericStarters(ids, chosenModel, supportsField),
    ...(visionModel ? [createImageStarter(visionModel.id)] : []),
  ];
}
