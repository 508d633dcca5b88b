// Checks the four API documents against the schema of OpenAPI 3.1; test/contract checks what that schema cannot express.
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';

let invalid = 0;
for (const name of ['v1', 'legacy', 'participant', 'dashboard']) {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(join(import.meta.dirname, '..', 'openapi', `${name}.yaml`));
  if (!valid || validator.version !== '3.1') {
    invalid++;
    console.error(`openapi/${name}.yaml is not valid OpenAPI 3.1:`, JSON.stringify(errors, null, 2));
  }
}
process.exitCode = invalid > 0 ? 1 : 0;
