// Package org owns organizations, users, their roles, and API keys: identities and what they are allowed to do.
package org
