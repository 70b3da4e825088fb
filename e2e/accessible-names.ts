/**
 * Accessible names of the app, by area. The browser test of each area (`accessible-names.spec.ts`) looks for them. When
 * a feature is built, its names move here from the list below.
 *
 * Not built yet:
 * - sharing a trial with other people: all names; trial files: menu items "Capsule" and "Ballot"
 */
import type { Page } from 'playwright/test';

/**
 * Role and full name, or a pattern for the start of the name. `inside` is the containing element if the name occurs
 * more than once.
 */
type ExpectedName = readonly [
  role: Role,
  name: string | RegExp,
  inside?: readonly [role: Role, name: string],
];
type Role = Parameters<Page['getByRole']>[0];

export type Area = keyof typeof accessibleNames;

/** Moments of a walk, with the names present at each. */
export type Moments = Record<string, readonly ExpectedName[]>;

const laneA = ['region', 'Lane A'] as const;
const prompt = ['article', 'User message'] as const;
const reply = ['article', 'Assistant message, lane A, north/one, turn 1'] as const;
const failedReply = ['article', 'Assistant message, lane A, north/one, turn 2'] as const;
const parameters = ['complementary', 'Parameters'] as const;
const inspector = ['complementary', 'Inspector'] as const;
const trialSetup = ['complementary', 'Setup'] as const;
const trialCell = ['complementary', 'Cell'] as const;

const numberFields = [
  'temperature',
  'top_p',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'top_k',
  'repetition_penalty',
  'seed',
  'thinking_budget',
  'max_completion_tokens',
];
/** Number fields that also have a slider. */
const sliderFields = [
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'thinking_budget',
];
const otherFields = [
  'stop',
  'logit_bias',
  'enable_thinking',
  'reasoning_effort',
  'verbosity',
  'stream',
  'stream_options',
  'response_format',
  'tools',
  'tool_choice',
  'Extra provider fields',
];

/** Expected names by area, then by the moment of its walk. */
export const accessibleNames = {
  'parts shared by all pages': {
    'in the playground': [
      ['link', 'Playground'],
      ['link', 'Embeddings'],
      ['link', 'History'],
      ['button', 'New session'],
      ['button', 'Session menu'],
      ['button', /^Theme/],
      ['button', 'Present'],
      ['button', 'Help'],
      ['button', 'Settings'],
      ['button', 'Search or run a command'],
      ['status', 'Gateway health'],
    ],
    'with the help open': [
      ['complementary', 'Help'],
      ['searchbox', 'Search help'],
    ],
    'with the session menu open': [
      ['menuitem', 'Export'],
      ['menuitem', 'Import'],
      ['menuitem', 'Share answers'],
      ['menuitem', 'Share setup'],
      ['menuitem', 'Rename'],
      ['menuitem', 'Delete'],
    ],
    'in the history': [
      ['heading', 'History'],
      ['button', 'Export all'],
      ['button', 'Import'],
    ],
  },
  'find in session': {
    'with Find open': [
      ['search', 'Find in session'],
      ['searchbox', 'Find in session'],
      ['button', 'Previous hit'],
      ['button', 'Next hit'],
      ['button', 'Close find'],
      ['radiogroup', 'Find in'],
      ['button', 'Turn 1 of 1'],
    ],
    'with the turn list open': [
      ['dialog', 'Turns'],
      ['listbox', 'Turns'],
    ],
  },
  lanes: {
    'with one lane': [
      ['region', 'Lane A'],
      ['region', 'Conversation'],
      ['combobox', 'Model', laneA],
      ['button', 'Add lane'],
      ['textbox', 'System prompt'],
    ],
    'with two different lanes': [
      ['region', 'Lane B'],
      ['region', 'Differences'],
      ['checkbox', 'To lane A'],
      ['checkbox', 'To lane B'],
      ['button', 'Compare texts'],
      ['button', 'Summary'],
    ],
    'with the model list open': [
      ['option', /^north\/two/],
      ['option', /^Use “two” as a model ID/],
    ],
    'with a lane menu open': [
      ['button', 'Lane A menu'],
      ['menu', 'Lane A menu'],
      ['menuitem', 'Duplicate lane'],
      ['menuitem', /^Remove lane/],
      ['menuitem', /^Move left/],
      ['menuitem', /^Move right/],
      ['menuitem', /^Copy setup to all lanes/],
    ],
    'while both lanes are streaming': [
      ['button', 'Stop lane A'],
      ['button', 'Stop lane B'],
    ],
    'with an answer whose start is out of view': [
      ['button', "Start of lane B's answer", ['article', 'Assistant message, lane B, north/two, turn 1']],
    ],
    'in a lower window': [
      ['button', 'Better', ['article', 'Assistant message, lane A, north/one, turn 1']],
      ['button', 'Better', ['article', 'Assistant message, lane B, north/two, turn 1']],
    ],
    'with an answer menu open': [['menuitem', 'Equal']],
    'in a high window': [
      ['radiogroup', 'Better, turn 1'],
      ['radio', 'Lane A is better'],
      ['radio', 'Lane B is better'],
      ['radio', 'Equal'],
    ],
    'with the system prompt history open': [
      ['dialog', 'System prompt history'],
      ['button', 'Use this prompt again'],
      ['button', 'Compare the two answers'],
    ],
    'with the text comparison open': [
      ['dialog', 'Compare texts'],
      ['radiogroup', 'Lanes to compare'],
      ['radiogroup', 'View'],
      ['radio', 'Side by side'],
      ['radio', 'Inline'],
      ['button', 'Previous turn'],
      ['button', 'Next turn'],
      ['button', 'Previous difference'],
      ['button', 'Next difference'],
    ],
    'with the summary open': [
      ['dialog', 'Summary'],
      ['table', 'Summary'],
      ['table', 'By turn'],
      ['button', 'Copy as Markdown'],
      ['button', 'Show on the stage'],
      ['button', /^Share answers/],
    ],
    'in presentation mode': [
      ['dialog', 'Presentation'],
      ['table', 'Summary'],
      ['textbox', 'Ask from the stage'],
    ],
    'with names hidden': [['article', 'Assistant message, lane A, turn 1']],
    'with six lanes': [
      ['toolbar', 'Lanes'],
      ['button', /^Lane A, done/],
      ['button', /^Lane F, /],
      ['button', 'Fit'],
    ],
  },
  composer: {
    'before the first message': [
      ['textbox', 'Message'],
      ['button', /^Send/],
      ['button', 'Attach'],
      ['textbox', 'Author name'],
    ],
    'with an image': [['button', 'Remove image']],
    'while an answer is streaming': [['button', /^Stop/]],
    'after the end of the answer': [['button', 'Run again']],
    'after scrolling away from the end': [['button', 'Newest']],
  },
  messages: {
    'in an empty lane': [['meter', 'Context, lane A']],
    'with an answer': [
      ['meter', 'Context, lane A'],
      ['article', 'System message'],
      ['article', 'User message'],
      ['article', 'Assistant message, lane A, north/one, turn 1'],
      ['button', /^Reasoning/, reply],
      ['group', 'Metrics, lane A, turn 1'],
      ['button', 'Edit', prompt],
      ['button', 'Copy', prompt],
      ['button', 'Delete', prompt],
      ['button', 'Branch', prompt],
      ['button', 'Copy', reply],
      ['button', 'Regenerate', reply],
      ['button', 'Inspect', reply],
      ['button', 'More actions', reply],
      ['button', 'Copy code', reply],
    ],
    'with its menu open': [
      ['menu', 'More actions'],
      ['menuitem', 'Edit'],
      ['menuitem', /^Branch/],
      ['menuitem', /^Delete/],
    ],
    'with two versions': [
      ['button', 'Previous version', reply],
      ['button', 'Next version', reply],
    ],
    'while editing a prompt': [
      ['textbox', 'Edit message'],
      ['textbox', 'Author name', prompt],
      ['button', 'Save', prompt],
      ['button', 'Save and run', prompt],
    ],
    'with a failed answer': [
      ['group', 'Error', failedReply],
      ['button', 'Copy report', failedReply],
    ],
    'with two candidates': [
      ['button', 'Previous candidate'],
      ['button', 'Next candidate'],
    ],
    'with the inspector open': [
      ['complementary', 'Inspector'],
      ['tab', 'Events', inspector],
      ['tab', 'Request and code', inspector],
      ['tab', 'Response', inspector],
      ['button', 'Copy report', inspector],
    ],
  },
  'tool calls': {
    'with a pending tool call': [
      ['group', 'Tool call get_weather'],
      ['textbox', 'Result for get_weather'],
      ['button', 'Send results'],
    ],
    'after sending the result': [['article', 'Tool message']],
  },
  parameters: {
    'with one lane': [
      ['complementary', 'Parameters'],
      ...[...numberFields, ...otherFields].map((name): ExpectedName => [
        'checkbox',
        `Send ${name}`,
        parameters,
      ]),
    ],
    'with every field enabled': [
      ...numberFields.map((name): ExpectedName => ['spinbutton', name, parameters]),
      ...sliderFields.map((name): ExpectedName => ['slider', name, parameters]),
      ['textbox', 'stop', parameters],
      ['textbox', 'logit_bias', parameters],
      ['textbox', 'Extra provider fields', parameters],
      ['combobox', 'response_format', parameters],
      ['combobox', 'tool_choice', parameters],
      ['combobox', 'reasoning_effort', parameters],
      ['combobox', 'verbosity', parameters],
      ['switch', 'enable_thinking', parameters],
      ['switch', 'stream', parameters],
      ['button', /^Edit tools/, parameters],
    ],
    'with the tools editor open': [['textbox', 'tools']],
    'with two lanes': [
      ['radiogroup', 'Scope', parameters],
      ['radiogroup', 'Send reasoning back', parameters],
      ['radio', 'All lanes', parameters],
      ['radio', 'Lane A', parameters],
      ['radio', 'Lane B', parameters],
    ],
    'with two different lanes': [
      ['spinbutton', 'temperature', parameters],
      ['spinbutton', 'Lane A temperature', parameters],
      ['slider', 'Lane A temperature', parameters],
      ['spinbutton', 'Lane B temperature', parameters],
      ['slider', 'Lane B temperature', parameters],
    ],
    'after setting one value for both lanes': [['button', 'Undo', parameters]],
  },
  'structured output': {
    'with the schema editor open': [
      ['dialog', 'Schema'],
      ['textbox', 'Schema name'],
      ['textbox', 'JSON Schema'],
      ['button', 'Add a field'],
      ['button', 'Examples'],
      ['button', 'Make one from JSON'],
      ['button', 'Use this schema'],
    ],
    'with an answer that violates the schema': [
      ['button', 'Edit schema', parameters],
      ['list', 'Faults, lane A'],
      ['button', 'Ask again with these faults'],
    ],
  },
  'a gateway that is not ready': {
    'in an empty conversation': [
      ['group', 'Gateway setup'],
      ['list', 'Gateway checks'],
      ['listitem', /^Reached: yes/],
      ['listitem', /^Key accepted: no/],
      ['listitem', /^Models listed: waiting/],
      ['button', 'Check again'],
      ['button', 'Use the demo gateway meanwhile'],
      ['button', /^Copy/, ['group', 'Gateway setup']],
    ],
  },
  embeddings: {
    'before embedding': [
      ['heading', 'Embeddings'],
      ['textbox', 'Texts'],
      ['button', /^Embed/],
      ['combobox', 'Model'],
      ['combobox', 'dimensions'],
      ['combobox', 'encoding_format'],
    ],
    'while embedding': [
      ['group', 'Embedding job'],
      ['progressbar', 'Texts embedded', ['group', 'Embedding job']],
      ['button', 'Pause', ['group', 'Embedding job']],
      ['button', 'Stop', ['group', 'Embedding job']],
    ],
    'after embedding': [
      ['textbox', 'Search by meaning'],
      ['grid', 'Similarity'],
      ['radiogroup', 'Scale'],
      ['radio', '0 to 1'],
      ['radio', 'Stretch'],
      ['img', 'Map'],
      ['list', 'Nearest'],
    ],
    'with an active query': [
      ['list', 'Texts by score'],
      ['list', 'Nearest'],
    ],
  },
  trials: {
    'without trials': [
      ['heading', 'Find out which setup is really better'],
      ['link', 'Trials'],
      ['button', 'New trial'],
      ['button', 'Import a trial'],
      ['button', /^Which setup routes tickets better\?/],
      ['button', /^Same setup twice/],
      ['button', /^Which setup is fastest, and which fails\?/],
      ['button', /^Same prompt through two gateways/],
    ],
    'in a draft': [
      ['region', 'Plan'],
      ['button', /^Run 120 requests/],
      ['textbox', 'System prompt', trialSetup],
      ['textbox', 'Prompt', trialSetup],
      ['spinbutton', 'Repeats', trialSetup],
      ['spinbutton', 'About the same within', trialSetup],
      ['spinbutton', 'Seed', trialSetup],
      ['textbox', 'Budget', trialSetup],
      ['combobox', 'Baseline', trialSetup],
      ['combobox', 'Group', trialSetup],
      ['button', 'Add column', trialSetup],
      ['button', 'Values of a parameter', trialSetup],
      ['button', 'Columns from lanes', trialSetup],
      ['button', 'Use answers of a trial', trialSetup],
      ['button', 'Same setup twice', trialSetup],
      ['button', 'Import cases', trialSetup],
      ['button', 'Add case', trialSetup],
      ['button', /^Checks/],
    ],
    'while running': [
      ['region', 'Verdict'],
      ['progressbar', 'Cases counted'],
      ['button', 'Pause'],
      ['button', 'Stop'],
      ['switch', 'Stop when decided'],
    ],
    'when paused': [['button', 'Resume']],
    'when finished': [
      ['img', /^Differences from column A/],
      ['button', 'How this is calculated'],
      ['grid', 'Cases'],
      ['columnheader', /^Column A, demo\/quiz, \d+ percent passed, \d+ of 60/],
      ['rowheader', 'Case 12'],
      ['gridcell', /^Case 12, column A: (?:passed|failed), /],
      ['radiogroup', 'Show'],
      ['radio', 'All'],
      ['radio', 'Columns disagree'],
      ['radio', 'A failed'],
      ['radio', 'Failed in all columns'],
      ['radio', 'No answer'],
      ['searchbox', 'Find in cases and answers'],
      ['button', 'Column A menu'],
      ['button', 'Export'],
    ],
    'with a column menu open': [
      ['menuitem', 'Edit'],
      ['menuitem', 'Duplicate'],
      ['menuitem', /^Use as baseline/],
      ['menuitem', 'Remove'],
      ['menuitem', /^Try again/],
    ],
    'with the numbers open': [['table', 'Counts']],
    'with a cell open': [
      ['complementary', 'Cell'],
      ['button', 'Open as lanes', trialCell],
      ['button', 'Ask again', trialCell],
      ['button', 'Inspect', trialCell],
      ['button', 'Previous case', trialCell],
      ['button', 'Next case', trialCell],
      ['group', 'Your mark', trialCell],
      ['button', 'Right', trialCell],
      ['button', 'Wrong', trialCell],
    ],
    'with the checks': [
      ['table', 'Checks'],
      ['radio', 'right team decides'],
      ['button', 'Add check'],
    ],
    'with a check open': [['complementary', 'Check']],
    'with the export menu open': [
      ['menuitem', /^CSV/],
      ['menuitem', /^JSON Lines/],
      ['menuitem', /^promptfoo/],
    ],
    'in the trial list': [
      ['heading', 'Trials'],
      ['table', 'Trials'],
      ['searchbox', 'Find a trial'],
    ],
  },
} satisfies Record<string, Moments>;
