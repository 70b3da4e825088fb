/** Completion of commands and options in bash, zsh and fish. The shell asks the command itself for candidates. */
import type { Command } from 'commander';

export const completionShells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof completionShells)[number];

/**
 * Returns what can follow: subcommands, options or the values of an option that begin with the last word. Empty where a
 * file is expected.
 */
export function findCompletions(program: Command, words: readonly string[]): string[] {
  const prefix = words.at(-1) ?? '';
  const precedingArguments = words.slice(0, -1);
  let command = program;
  for (const word of precedingArguments)
    command = command.commands.find((child) => child.name() === word) ?? command;
  const lastOption = command.options.find(({ long }) => long === precedingArguments.at(-1));
  if (lastOption && (lastOption.required || lastOption.optional))
    return (lastOption.argChoices ?? []).filter((choice) => choice.startsWith(prefix));
  const [argument] = command.registeredArguments;
  const candidates = prefix.startsWith('-')
    ? command.options.flatMap(({ long, hidden }) => (typeof long === 'string' && !hidden ? [long] : []))
    : [
        ...command
          .createHelp()
          .visibleCommands(command)
          .map((child) => child.name()),
        ...(argument?.argChoices ?? []),
      ];
  return candidates.filter((candidate) => candidate.startsWith(prefix));
}

/** Returns the script that turns completion on in a shell. Files are completed where nothing else fits. */
export function writeCompletionScript(shell: CompletionShell, name: string): string {
  const functionName = `_${name.replaceAll('-', '_')}`;
  switch (shell) {
    case 'bash':
      return `${functionName}() {
  local IFS=$'\\n'
  COMPREPLY=($(${name} complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F ${functionName} ${name}`;
    case 'zsh':
      return `#compdef ${name}
${functionName}() {
  local -a candidates
  candidates=(\${(f)"$(${name} complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#candidates} )); then compadd -a candidates; else _files; fi
}
compdef ${functionName} ${name}`;
    case 'fish':
      return `complete -c ${name} -a '(${name} complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`;
  }
}
