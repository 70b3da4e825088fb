/** Every command of the app: the key bindings, the sheet of keys and the command field are made from this table. */
import { answerCommands } from './answer-commands.ts';
import type { Command } from './command.ts';
import { labCommands } from './lab-commands.ts';
import { screenCommands } from './screen-commands.ts';
import { sessionCommands } from './session-commands.ts';

export const commands: readonly Command[] = [
  ...screenCommands,
  ...answerCommands,
  ...sessionCommands,
  ...labCommands,
];
