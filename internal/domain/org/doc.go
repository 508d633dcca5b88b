// Package org owns organizations, users, their roles, and API keys: who somebody is and what that allows.
package org
