/** Extensions of the files that are read for a configuration. */
export const configFileExtensions = ['txt', 'md', 'json', 'jsonl', 'yaml', 'yml', 'csv'] as const;
export type ConfigFileExtension = (typeof configFileExtensions)[number];
