import { expect, it } from 'vitest'
import { helperEnvironment } from '../../../src-main/app/helper-env'

it("helper processes get the environment they need, without other programs' keys", () => {
  const needed = { PATH: '/bin', SystemRoot: 'C:\\Windows', LC_ALL: 'C', TZ: 'UTC', TMPDIR: '/tmp' }
  const others = {
    AWS_SECRET_ACCESS_KEY: 'x',
    NODE_OPTIONS: '--require /x',
    SSH_AUTH_SOCK: '/x',
    ELECTRON_RUN_AS_NODE: '1',
  }
  expect(helperEnvironment({ ...needed, ...others, HOME: undefined })).toEqual(needed)
})
