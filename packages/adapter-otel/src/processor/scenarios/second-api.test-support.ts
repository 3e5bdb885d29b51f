// Preloaded with --import: the SDK's own code gets the copy of @opentelemetry/api that ASV_TEST_API names,
// as if it had been installed a second time beneath it. All others get the workspace's.
import { registerHooks } from "node:module";

const copy = process.env["ASV_TEST_API"] ?? "";

registerHooks({
  resolve(specifier, context, next) {
    const isLibrary = context.parentURL?.includes("/packages/sdk/src/") === true;
    return next(isLibrary && specifier === "@opentelemetry/api" ? copy : specifier, context);
  },
});
