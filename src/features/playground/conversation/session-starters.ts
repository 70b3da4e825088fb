/** What a newcomer can try with one click: things that the models of this gateway can show. */
import {
  defaultSchema,
  schemaExamples,
  stringifySchemaFormat,
} from '../../../conversation/setup/json-schema-format.ts';
import {
  defaultParams,
  withText,
  type Params,
  type RefusedFields,
} from '../../../conversation/setup/params.ts';
import { isFieldUnlisted, listChatModels, type ModelRecord } from '../../../gateway/models/model-record.ts';

/** Setups for as many lanes as it takes, and what is sent to them. */
export interface Starter {
  icon: 'compare' | 'tools' | 'think' | 'models' | 'once' | 'image' | 'json';
  lead: string;
  rest: string;
  lanes: readonly { model: string; params: Params }[];
  prompt: string;
  /** Goes with it. */
  imageUrl?: string;
}

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The current weather in a city.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Name of the city', examples: ['Paris', 'Oslo', 'Tokyo'] },
      },
      required: ['city'],
    },
  },
};
const tools = JSON.stringify([weather], null, 2);
const incident = stringifySchemaFormat(schemaExamples[0]?.format ?? defaultSchema);

/** A lighthouse, 96 by 64 pixels. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAIAAABqVuVZAAAAlklEQVR42u3VsQ2AIBCGUaZwBmv2YVsLprGxo8EBRCsTj/gu3wCX1/xpP5oeSggAAQIECBAgQIC+q9X1LkCAAAECBCj+zNecr5l5QIDeqo8OECBAgAABMvOAAAECBAiQmQcECBAgQIDMPCBAgAABMvOAAE0BtJQtQkOgCI8BmgQobIAAAQIECBAgQIAECBAgQIAAAfpXJ1XKHfLaeFm3AAAAAElFTkSuQmCC';

function imageStarter(model: string): Starter {
  return {
    icon: 'image',
    lead: 'Show a model an image',
    rest: 'a small picture goes with the question',
    lanes: [{ model, params: defaultParams }],
    prompt: 'What is in this picture?',
    imageUrl: picture,
  };
}

function demoStarters(has: (model: string) => boolean): Starter[] {
  const cool = withText(withText(defaultParams, 'temperature', '0.2'), 'seed', '7');
  const warm = withText(withText(defaultParams, 'temperature', '1.6'), 'seed', '7');
  const thinking = withText(defaultParams, 'enable_thinking', 'true');
  const starters: Starter[] = [
    {
      icon: 'compare',
      lead: 'Compare two temperatures side by side',
      rest: 'one model at 0.2 and 1.6',
      lanes: [
        { model: 'demo/sampler', params: cool },
        { model: 'demo/sampler', params: warm },
      ],
      prompt: 'When the gateway answers, the page',
    },
    {
      icon: 'tools',
      lead: 'Let a model call a tool',
      rest: 'you supply the result and it continues',
      lanes: [{ model: 'demo/tools', params: withText(defaultParams, 'tools', tools) }],
      prompt: 'What is the weather in Paris?',
    },
    {
      icon: 'think',
      lead: 'Give a model a thinking budget',
      rest: 'same problem, 128 versus 2,048 thinking tokens',
      lanes: ['128', '2048'].map((budget) => ({
        model: 'demo/thinker',
        params: withText(thinking, 'thinking_budget', budget),
      })),
      prompt: 'What is ((17 + 23) * 4 - 144 / 12) * (250 - 37 * 5) + 2,480 / 8?',
    },
    {
      icon: 'json',
      lead: 'Get an answer that fits a schema',
      rest: 'every field is checked as it arrives',
      lanes: [{ model: 'demo/extract', params: withText(defaultParams, 'response_format', incident) }],
      prompt:
        'Checkout became slow at 14:06, four minutes after a deploy. Severity: high. Service: checkout. Customers notice that payments take 5 seconds. The next step is to roll back.',
    },
    imageStarter('demo/vision'),
  ];
  return starters.filter(({ lanes }) => lanes.every(({ model }) => has(model)));
}

/** For a gateway of which nothing is known but the IDs of its models. */
function anyStarters(models: readonly string[], chosen: string, takesField: TakesField): Starter[] {
  const first = chosen === '' ? models[0] : chosen;
  const second = models.find((model) => model !== first);
  if (first === undefined) return [];
  const temperatures: Starter = {
    icon: 'compare',
    lead: 'Compare two temperatures side by side',
    rest: 'one model at 0.2 and 1.2',
    lanes: ['0.2', '1.2'].map((value) => ({
      model: first,
      params: withText(defaultParams, 'temperature', value),
    })),
    prompt: 'Suggest a name for a café beside a lighthouse, and say why in one sentence.',
  };
  const starters: Starter[] = [
    temperatures,
    second === undefined
      ? {
          icon: 'once',
          lead: 'Watch an answer stream',
          rest: 'with live speed and timing',
          lanes: [{ model: first, params: defaultParams }],
          prompt: 'Explain in three sentences how a lighthouse lamp works.',
        }
      : {
          icon: 'models',
          lead: 'Compare two models',
          rest: 'the same question to both at once',
          lanes: [first, second].map((model) => ({ model, params: defaultParams })),
          prompt: 'Explain in three sentences how a lighthouse lamp works.',
        },
    {
      icon: 'tools',
      lead: 'Offer a tool',
      rest: 'you supply the result of each call',
      lanes: [{ model: first, params: withText(defaultParams, 'tools', tools) }],
      prompt: 'What is the weather in Paris? Use the tool.',
    },
  ];
  return starters.filter(({ lanes }) =>
    lanes.every((lane) => listSetFields(lane).every((field) => takesField(lane.model, field))),
  );
}

/** Lists the fields that a starter sets in addition to those sent by default. */
function listSetFields({ params }: Starter['lanes'][number]): string[] {
  return Object.keys(params).filter((name) => !Object.hasOwn(defaultParams, name));
}

/** False if the model refused the field or its record does not list it. */
type TakesField = (model: string, field: string) => boolean;

/** Those of the demo models where they are all there, else such as fit any gateway. */
export function startersFor(
  models: readonly ModelRecord[],
  chosen: string,
  refusedFields: (model: string) => RefusedFields = () => ({}),
): Starter[] {
  const chat = listChatModels(models);
  const ids = chat.map(({ id }) => id);
  const demo = demoStarters((model) => ids.includes(model));
  if (demo.length === 5) return demo;
  const seeing = chat.find(({ abilities }) => abilities.vision === true);
  const records = new Map(chat.map((record) => [record.id, record]));
  const takesField: TakesField = (model, field) => {
    const record = records.get(model);
    return refusedFields(model)[field] !== null && !(record && isFieldUnlisted(record, field));
  };
  return [...anyStarters(ids, chosen, takesField), ...(seeing ? [imageStarter(seeing.id)] : [])];
}
