import type { Params } from '../../../conversation/setup/params.ts';
import { ownProperty, parseJson, stringProperty, type Json } from '../../../lib/json.ts';

/** The definition of a tool by its name: from the setup that the call came from, else from a current one. */
export function toolNamed(name: string, setups: readonly (Params | undefined)[]): Json | undefined {
  for (const params of setups) {
    const reading = parseJson(params?.tools?.text ?? '');
    if (!reading.ok || !Array.isArray(reading.value)) continue;
    const tool = reading.value.find((each) => stringProperty(ownProperty(each, 'function'), 'name') === name);
    if (tool !== undefined) return tool;
  }
  return undefined;
}
