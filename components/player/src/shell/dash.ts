/** What the callbacks of the page share: what has triggered them, what they give back, and properties of components. */

export type Value = unknown;
type Named = { id: string | object; property: string };
type Context = { triggered: { prop_id: string; value: Value }[]; outputs_list: (Named | Named[])[] | Named };

const context = (): Context => window.dash_clientside.callback_context as Context;

/** What has changed: an id, of several parts as Dash spells it, a property, and its value. */
export const triggers = (): { id: string; prop: string; value: Value }[] =>
  context().triggered.map(({ prop_id, value }) => {
    const dot = prop_id.lastIndexOf(".");
    return { id: prop_id.slice(0, dot), prop: prop_id.slice(dot + 1), value };
  });

/** An id as Dash spells it. */
export const spelled = (id: string | object): string =>
  typeof id === "string" ? id : JSON.stringify(Object.fromEntries(Object.entries(id).toSorted()));

/** A property of a component as Dash knows it. */
export const propOf = (id: string | object, prop: string): Value => window.dash_component_api.getLayout(parsed(id))?.props[prop];
const parsed = (id: string | object): string | object => (typeof id === "string" && id.startsWith("{") ? JSON.parse(id) : id);

const isSame = (one: Value, other: Value): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What a callback gives back: for each of its outputs a value, where there is one and it is another than before. */
export function outputs(wanted: (id: string, prop: string) => Value): Value {
  const { no_update } = window.dash_clientside;
  const one = ({ id, property }: Named): Value => {
    const prop = property.split("@")[0];
    const value = wanted(spelled(id), prop);
    return value === undefined || isSame(value, propOf(id, prop)) ? no_update : value;
  };
  const list = context().outputs_list;
  return Array.isArray(list) ? list.map((each) => (Array.isArray(each) ? each.map(one) : one(each))) : one(list);
}

/** Everything as it is. */
export const nothing = (): Value => outputs(() => undefined);

/** Set properties of a component, where they are others. */
export function show(id: string | object, props: Record<string, Value>): void {
  const news = Object.fromEntries(Object.entries(props).filter(([name, value]) => !isSame(value, propOf(id, name))));
  if (Object.keys(news).length) window.dash_clientside.set_props(parsed(id), news);
}

/** The text of an element of the layout. Scripts write no text there themselves: it is React's, and Dash knows it. */
export const say = (id: string, text: string): void => show(id, { children: text });

/** What waits for properties that were set to be on screen: a focus, a place to scroll to. */
export const onceShown = (act: () => void): number => requestAnimationFrame(act);
