/** The project's own documentation, which demo/guide answers from and demo/sampler was counted from. */
import bench from '../../documentation/bench.md?raw';
import configuration from '../../documentation/configuration.md?raw';
import demoModels from '../../documentation/demo-models.md?raw';
import features from '../../documentation/features.md?raw';
import gatewayApi from '../../documentation/gateway-api.md?raw';
import parameters from '../../documentation/parameters.md?raw';
import trials from '../../documentation/trials.md?raw';
import troubleshooting from '../../documentation/troubleshooting.md?raw';

/** One section: the text under a heading of the second level. */
export interface Passage {
  /** The title of the page, its heading of the first level. */
  page: string;
  heading: string;
  body: string;
}

let passages: readonly Passage[] | undefined;

/** Every section of every page, in the order in which a person would read them. Read once. */
export function getPassages(): readonly Passage[] {
  passages ??= [
    bench,
    features,
    trials,
    parameters,
    gatewayApi,
    demoModels,
    configuration,
    troubleshooting,
  ].flatMap(parsePassages);
  return passages;
}

/** A section's text without its fenced blocks of code. */
export function withoutCode(body: string): string {
  let isCode = false;
  return body
    .split('\n')
    .filter((line) => {
      const isFence = line.startsWith('```');
      if (isFence) isCode = !isCode;
      return !isFence && !isCode;
    })
    .join('\n');
}

function parsePassages(markdown: string): Passage[] {
  // Section numbers such as (§2.1) are for references in the code, not for answers.
  const [title = '', ...sections] = markdown.replaceAll(/ \(§[^)]*\)/g, '').split(/^## /m);
  const page = title.replace(/^# /, '').trim();
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return { page, heading: section.slice(0, end).trim(), body: section.slice(end).trim() };
  });
}
