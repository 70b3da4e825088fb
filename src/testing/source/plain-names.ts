/**
 * Every name of a test is a sentence in plain words, and no two in a file are the same. Tools select tests by their
 * names, and a name that holds data or repeats itself selects none or too many. Vitest loads this before each file.
 */
import { beforeEach } from 'vitest';

const plain = /^[\p{Script=Latin}\p{N} _.,:;'’"“”()/&§+…?!=%×÷−–—-]+$/u;
const most = 160;

/** What is wrong with the name, as a sentence; undefined where nothing is. */
export function nameProblem(name: string): string | undefined {
  if (name.length > most) return `The name has more than ${most} characters: ${name}`;
  if (!plain.test(name)) return `The name holds more than plain words: ${JSON.stringify(name)}`;
  if (/^\s|\s$|\s{2}/.test(name)) return `The name has spaces where none belong: "${name}"`;
  return undefined;
}

const idsByName = new Map<string, string>();

beforeEach(({ task }) => {
  const name = task.fullTestName.replaceAll(' > ', ' ');
  const known = idsByName.get(name) ?? task.id;
  idsByName.set(name, known);
  const problem = known === task.id ? nameProblem(name) : `Another test of the file has this name: ${name}`;
  if (problem !== undefined) throw new Error(problem);
});
