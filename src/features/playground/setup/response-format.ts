export type FormatChoice = 'text' | 'json_object' | 'json_schema';

/** Which of the choices the text of the row stands for: anything that is not a plain word is a whole JSON object. */
export function formatChoice(text: string): FormatChoice {
  return text === 'text' || text === 'json_object' ? text : 'json_schema';
}

const schemaTemplate = {
  type: 'json_schema',
  json_schema: {
    name: 'answer',
    strict: true,
    schema: {
      type: 'object',
      properties: { answer: { type: 'string' } },
      required: ['answer'],
      additionalProperties: false,
    },
  },
};

/** The text of the row for a choice; a schema that is already there stays. */
export function textOfChoice(choice: FormatChoice, text: string): string {
  if (choice !== 'json_schema') return choice;
  return text !== '' && formatChoice(text) === 'json_schema' ? text : JSON.stringify(schemaTemplate, null, 2);
}
