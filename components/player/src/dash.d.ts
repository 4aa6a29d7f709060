/** What Dash puts into the window, and what it looks for there. */

interface Window {
  dash_clientside: {
    set_props(id: string | object, props: Record<string, unknown>): void;
    no_update: unknown;
    callback_context: unknown;
    [namespace: string]: unknown;
  };
  dash_component_api: {
    getLayout(id: string | object): { props: Record<string, unknown> } | undefined;
    useDashContext(): { useLoading(options?: { extraPath?: string[] }): boolean };
  };
  plateau_lab: Record<string, unknown>;
}
